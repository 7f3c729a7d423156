import { fitsPattern } from "../policy/name-pattern.ts";
import type { ServerConfig } from "../config/server-config.ts";

/** The fields of a server's config that say what of it may be listed and used. */
export interface AllowFields extends Pick<
  ServerConfig,
  "load_tools" | "load_prompts" | "allowed_tools" | "disabled_tools"
> {
  /** Patterns that the caller's key is narrowed to. */
  readonly tools_of_key?: readonly string[];
}

/** Allowed, or the config field that excludes it. */
export type Allowed =
  | { readonly ok: true }
  | { readonly ok: false; readonly field: keyof AllowFields };

/**
 * Whether the config lets the tool of that original name be listed and called: one answer for
 * both, so that the advertised set is the callable set. `disabled_tools` wins over `allowed_tools`.
 */
export function toolAllowed(config: AllowFields, originalName: string): Allowed {
  return config.load_tools ? listed(config, originalName) : { ok: false, field: "load_tools" };
}

/**
 * Likewise for a prompt, which the two lists name as `prompt:NAME`. An `allowed_tools` without
 * any prompt therefore excludes all prompts.
 */
export function promptAllowed(config: AllowFields, originalName: string): Allowed {
  if (!config.load_prompts) return { ok: false, field: "load_prompts" };
  return listed(config, `prompt:${originalName}`);
}

function listed(config: AllowFields, entry: string): Allowed {
  const { allowed_tools, disabled_tools, tools_of_key } = config;
  if (disabled_tools.includes(entry)) return { ok: false, field: "disabled_tools" };
  if (allowed_tools !== undefined && !allowed_tools.includes(entry)) {
    return { ok: false, field: "allowed_tools" };
  }
  if (tools_of_key !== undefined && !tools_of_key.some((pattern) => fitsPattern(entry, pattern))) {
    return { ok: false, field: "tools_of_key" };
  }
  return { ok: true };
}
