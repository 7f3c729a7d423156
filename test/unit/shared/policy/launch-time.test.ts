import { describe, expect, it } from "vitest";
import { parseLaunch } from "../../../../shared/policy/launch.ts";

describe("parseLaunch on long texts", () => {
  const pieces = [
    "a",
    "-",
    "@",
    "/",
    "<",
    "{",
    "1.",
    "a-",
    "[a,",
    "==1.",
    "a@",
    "%A",
    "\\",
    ":",
    "~",
  ];

  // The deadline of a test is what fails here: a quadratic pattern takes minutes for 64 KiB.
  it.each(pieces)("answers in linear time for %j repeated", (piece) => {
    for (const tail of ["", "!", "é", "@"]) {
      const text = `${piece.repeat(65_536)}${tail}`;
      expect(parseLaunch("npx", [text]).ok).toBe(false);
      expect(parseLaunch("npx", ["-p", "a", text]).ok).toBe(false);
      expect(parseLaunch("npx", [`a@${text}`]).ok).toBe(false);
      expect(parseLaunch("uvx", [text]).ok).toBe(false);
      expect(parseLaunch("uvx", [`a==${text}`]).ok).toBe(false);
      expect(parseLaunch("docker", ["run", text]).ok).toBe(false);
      expect(parseLaunch("docker", ["run", "-e", text, "a"]).ok).toBe(false);
      expect(parseLaunch("docker", ["run", "-v", `/${text}:/a`, "a"]).ok).toBe(false);
      expect(parseLaunch(text, []).ok).toBe(false);
    }
  });
});
