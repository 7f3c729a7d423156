/** What a key may do; `submit:stdio` means running code from a submitted config. */
export const scopes = [
  "validate",
  "discover",
  "call",
  "submit",
  "submit:stdio",
  "registry",
  "admin",
] as const;
export type Scope = (typeof scopes)[number];
