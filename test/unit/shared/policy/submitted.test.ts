import { describe, expect, it } from "vitest";
import { parseLaunch } from "../../../../shared/policy/launch.ts";
import { parsePackagePattern } from "../../../../shared/policy/package-lists.ts";
import { checkSubmittedLaunch, checkSubmittedUrl } from "../../../../shared/policy/submitted.ts";

function launch(...args: string[]) {
  const read = parseLaunch("npx", args);
  if (!read.ok) throw new TypeError(read.message);
  return read.value;
}

function packages() {
  const scope = parsePackagePattern("npm:@acme/*");
  return scope.ok ? [scope.value] : [];
}

describe("servers of submitted configs", () => {
  it("may be at listed hosts alone", () => {
    const hosts = [{ hostname: "mcp.example.com", port: 443 }];
    expect(checkSubmittedUrl(new URL("https://mcp.example.com/a"), { hosts })).toMatchObject({
      ok: true,
    });
    const refusal = checkSubmittedUrl(new URL("https://evil.test/a?x=secret"), { hosts });
    expect(refusal).toMatchObject({ ok: false, reason: "host-not-listed" });
    expect(JSON.stringify(refusal)).not.toContain("secret");
    expect(checkSubmittedUrl(new URL("https://mcp.example.com"), { hosts: [] })).toMatchObject({
      ok: false,
    });
    expect(checkSubmittedUrl(new URL("https://evil.test"), { hosts: null })).toMatchObject({
      ok: true,
    });
  });

  it.each([
    ["a listed package", ["-y", "@acme/a@1.0.0"], false, true],
    ["an unlisted package", ["-y", "other@1.0.0"], false, "package-not-listed"],
    ["a listed package that is not pinned", ["-y", "@acme/a"], false, "not-pinned"],
    ["an unlisted package that is approved", ["-y", "other@1.0.0"], true, true],
  ] as const)("may be %s: %s", (_, args, approved, expected) => {
    const checked = checkSubmittedLaunch(launch(...args), {
      packages: packages(),
      pinning: "strict",
      approved,
    });
    expect(checked.ok ? true : checked.reason).toBe(expected);
  });

  it("may be any version where pinning only warns, and any package where none are listed", () => {
    const rules = { packages: null, pinning: "warn", approved: false } as const;
    expect(checkSubmittedLaunch(launch("other"), rules)).toMatchObject({ ok: true });
    expect(checkSubmittedLaunch(launch("other"), { ...rules, packages: [] })).toMatchObject({
      reason: "package-not-listed",
    });
  });
});
