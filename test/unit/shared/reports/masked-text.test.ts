import { describe, expect, it } from "vitest";
import { maskedText } from "../../../../shared/reports/masked-text.ts";
import { file, finding, nowhere } from "./samples.ts";

const text = "a: 1\ntoken: s3cret-v4lue # note\nb: 2\n";
const secret = finding({ id: "GW401", line: 2, column: 8, end_line: 2, end_column: 20 });

describe("maskedText", () => {
  it.each(["GW401", "GW402", "GW403", "GW417"])("masks the place of %s unit by unit", (id) => {
    expect(maskedText(file({ text, findings: [{ ...secret, id }] }))).toBe(
      "a: 1\ntoken: •••••••••••• # note\nb: 2\n",
    );
  });

  it("keeps line breaks of a place that spans lines", () => {
    const block = { ...secret, end_line: 3, end_column: 3 };
    expect(maskedText(file({ text: text.replaceAll("\n", "\r\n"), findings: [block] }))).toBe(
      `a: 1\r\ntoken: ${"•".repeat(19)}\r\n••  2\r\n`.replace("••  2", "•• 2"),
    );
  });

  it("masks overlapping places once, in any order", () => {
    const tail = { ...secret, column: 12, end_column: 22 };
    expect(maskedText(file({ text, findings: [tail, secret] }))).toBe(
      "a: 1\ntoken: •••••••••••••• note\nb: 2\n",
    );
  });

  it("masks to the end of the line where the end is not known", () => {
    const open = { ...secret, end_line: null, end_column: null };
    expect(maskedText(file({ text, findings: [open] }))).toBe(
      `a: 1\ntoken: ${"•".repeat(19)}\nb: 2\n`,
    );
  });

  it("masks what stands behind a header's name that GW308 points at", () => {
    const name = { ...secret, id: "GW308", column: 1, end_column: 6 };
    expect(maskedText(file({ text, findings: [name] }))).toBe(
      `a: 1\ntoken${"•".repeat(21)}\nb: 2\n`,
    );
  });

  it.each([
    ["/tools/0/env/API_TOKEN", true],
    ["/mcpServers/one/headers/Authorization", true],
    ["/tools/0/config/db_password", true],
    ["/tools/0/env/LEVEL", false],
    ["/tools/0/headers/Accept", false],
    ["/token", false],
  ])("at %s, whatever is found there, masks it: %s", (pointer, masked) => {
    const found = { ...secret, id: "GW411", pointer };
    const shown = masked ? "a: 1\ntoken: •••••••••••• # note\nb: 2\n" : text;
    expect(maskedText(file({ text, findings: [found] }))).toBe(shown);
  });

  it("leaves the text alone for other rules and findings without a place", () => {
    const findings = [finding(), finding({ id: "GW401", ...nowhere })];
    expect(maskedText(file({ text, findings }))).toBe(text);
  });
});
