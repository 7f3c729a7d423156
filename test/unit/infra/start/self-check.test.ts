import { describe, expect, it } from "vitest";
import { explain } from "../../../../infra/start/self-check.ts";

const failure = (tail: string) =>
  explain(
    {
      success: false,
      error: {
        code: "INSTALL_FAILED",
        message: "The package could not be installed.",
        hint: "details.stderr_tail holds the installer's last lines.",
        details: { stderr_tail: tail },
      },
    },
    "",
  );

describe("why the self-check failed", () => {
  it.each([
    "SELF_SIGNED_CERT_IN_CHAIN",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  ])("is a certificate that is not trusted: %s", (code) => {
    expect(failure(`npm error code ${code}\nnpm error errno ${code}`)).toMatch(
      new RegExp(`is not trusted \\(${code}\\); set NODE_EXTRA_CA_CERTS to .*\\.$`),
    );
  });

  it("is a registry that does not answer", () => {
    expect(failure("npm error code ENOTFOUND")).toContain("cannot be reached (ENOTFOUND)");
  });

  it("is shown with the last lines that its hint speaks of", () => {
    expect(failure("npm error code E418\nnpm error teapot")).toBe(
      "The self-check failed with INSTALL_FAILED: The package could not be installed. details.stderr_tail holds the installer's last lines.\ndetails.stderr_tail:\nnpm error code E418\nnpm error teapot",
    );
    expect(failure("")).not.toContain("stderr_tail:");
  });
});
