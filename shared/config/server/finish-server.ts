import { findReferences, type Reference } from "../references.ts";
import type { ServerConfig } from "../server-config.ts";
import { entryTexts } from "../secrets/strings.ts";
import { text } from "../tree/node.ts";
import { applyServerLabel } from "./apply-server-label.ts";
import { checkDisplay } from "./check-display.ts";
import { checkFields, isEmpty } from "./check-fields.ts";
import { checkHeaders } from "./check-headers.ts";
import { checkLaunch } from "./check-launch.ts";
import { checkReferences } from "./check-references.ts";
import { checkSecrets } from "./check-secrets.ts";
import { checkTransport } from "./check-transport.ts";
import { checkUrl } from "./check-url.ts";
import type { CheckOptions } from "./check-options.ts";
import type { ServerDraft } from "./draft.ts";

/** A server after every check that looks at one server alone. */
export interface FinishedServer {
  readonly draft: ServerDraft;
  readonly name: string;
  readonly disabled: boolean;
  /** Null when the entry is not well formed. */
  readonly config: ServerConfig | null;
  readonly references: readonly Reference[];
}

/** The life of one entry: stand-ins, types, transport, then what the values mean. */
export function finishServer(draft: ServerDraft, options: CheckOptions): FinishedServer {
  applyServerLabel(draft);
  const config = checkFields(draft);
  checkTransport(draft);
  checkLaunch(draft, options);
  checkUrl(draft, options);
  checkHeaders(draft);
  const texts = entryTexts(draft);
  checkReferences(draft, texts, options);
  checkSecrets(draft, texts);
  checkDisplay(draft, texts);
  checkDescription(draft);
  return {
    draft,
    name: text(draft.fields.get("name")?.value) ?? draft.label,
    disabled: isDisabled(draft),
    config,
    references: config === null ? [] : findReferences(config, draft.place.pointer),
  };
}

function isDisabled(draft: ServerDraft): boolean {
  const field = draft.fields.get("disabled");
  if (field?.value.kind !== "scalar" || field.value.value !== true) return false;
  draft.diagnostics.report("GW135", field.keyPlace, "The server is disabled.");
  return true;
}

function checkDescription(draft: ServerDraft): void {
  const field = draft.fields.get("description");
  if (!draft.native || (field !== undefined && !isEmpty(field.value) && text(field.value) !== ""))
    return;
  draft.diagnostics.report(
    "GW601",
    field?.keyPlace ?? draft.place,
    "The server has no description.",
  );
}
