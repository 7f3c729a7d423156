/** Why an argv is refused; stable, so that rules and documentation can be keyed by them. */
export const launchReasons = [
  "command-not-allowed",
  "argument-has-nul",
  "option-not-allowed",
  "option-repeated",
  "option-value-missing",
  "spec-missing",
  "spec-is-reference",
  "spec-is-placeholder",
  "spec-is-alias",
  "spec-is-git",
  "spec-is-url",
  "spec-is-path",
  "spec-is-range",
  "spec-name-invalid",
  "spec-version-invalid",
  "bin-missing",
  "bin-is-reference",
  "bin-is-path",
  "bin-is-interpreter",
  "bin-name-invalid",
  "docker-not-run",
  "docker-tty",
  "image-missing",
  "image-name-invalid",
  "image-tag-invalid",
  "image-digest-invalid",
  "image-registry-private",
  "volume-invalid",
  "volume-outside-roots",
  "volume-is-socket",
  "not-pinned",
] as const;
export type LaunchReason = (typeof launchReasons)[number];

/** Why the name of an environment variable is refused. */
export const envNameReasons = [
  "env-name-invalid",
  "env-name-reserved",
  "env-not-declared",
] as const;
export type EnvNameReason = (typeof envNameReasons)[number];

/** Why a URL is refused. */
export const urlReasons = [
  "url-invalid",
  "url-too-long",
  "url-has-reference",
  "url-scheme",
  "url-cleartext",
  "url-userinfo",
  "url-fragment",
  "url-port",
  "url-host-invalid",
  "url-trailing-dot",
  "url-single-label",
  "url-special-name",
  "url-metadata",
  "url-private-address",
  "url-ip-literal",
  "url-own-host",
] as const;
export type UrlReason = (typeof urlReasons)[number];

/** Why an HTTP header is refused. */
export const headerReasons = [
  "header-name-invalid",
  "header-hop-by-hop",
  "header-of-transport",
  "header-of-protocol",
  "header-forwarding",
  "header-cookie",
  "header-of-platform",
  "header-value-invalid",
  "header-value-too-long",
] as const;
export type HeaderReason = (typeof headerReasons)[number];

/** Why the operator's policy refuses what the rules above let pass. */
export const policyReasons = [
  "destination-invalid",
  "host-entry-invalid",
  "host-not-listed",
  "origin-revoked",
  "package-entry-invalid",
  "package-not-listed",
  "package-revoked",
  "launch-is-remote",
  "launch-has-env-file",
  "args-hold-reference",
] as const;
export type PolicyReason = (typeof policyReasons)[number];
