import type { ErrorCode } from "../../errors/catalogue.ts";
import type { Severity } from "../finding.ts";

export interface Rule {
  /** Severity unless the settings say otherwise. */
  readonly severity: Severity;
  readonly summary: string;
  readonly hint: string;
  /** Where the rule ends and another one begins, for its documentation page. */
  readonly note?: string;
  /** An inline `gangway-ignore` or a setting may silence the rule. */
  readonly suppressible: boolean;
  /**
   * A server (or, outside servers, the document) with this finding is unusable, whatever
   * severity the settings give the rule.
   */
  readonly blocks: boolean;
  /** Code of the error when a blocked server is asked for; CONFIG_INVALID unless told. */
  readonly code?: ErrorCode;
}

/** The note of rules that look at a tenant's policy. */
export const ofPolicy =
  "Told only where the config is to be held to a tenant's policy: `options.policy` of `/v1/validate`, or `?policy=true` for one raw document. The same is decided again at use.";

/** An error that makes the server unusable: nothing can silence it. */
export function blocking(summary: string, hint: string, code?: ErrorCode): Rule {
  const rule: Rule = { severity: "error", summary, hint, suppressible: false, blocks: true };
  return code === undefined ? rule : { ...rule, code };
}

/** An error that fails a check before merge while the server could still be run. */
export function failing(summary: string, hint: string): Rule {
  return { severity: "error", summary, hint, suppressible: true, blocks: false };
}

export function warning(summary: string, hint: string): Rule {
  return { severity: "warning", summary, hint, suppressible: true, blocks: false };
}

/** The rule with a sentence about its borders. */
export function noted(rule: Rule, note: string): Rule {
  return { ...rule, note };
}

export function info(summary: string, hint: string): Rule {
  return { severity: "info", summary, hint, suppressible: true, blocks: false };
}
