import { impliedField, type ServerDraft } from "../server/draft.ts";
import { transportByName, transportByUrl } from "../server/transport-names.ts";
import { scalarAt, text } from "../tree/node.ts";
import type { Client } from "./client.ts";

/** Names the transport in the native way: by the client's word, else by what the entry reaches. */
export function normaliseTransport(client: Client, draft: ServerDraft): void {
  const field = draft.fields.get("transport");
  const word = text(field?.value);
  if (field !== undefined && word !== undefined && word.toLowerCase() !== "remote") {
    const known = transportByName(word);
    if (known !== null)
      draft.fields.set("transport", { ...field, value: scalarAt(field.value, known) });
    return;
  }
  const url = draft.fields.get("url");
  const written = text(url?.value);
  if (url === undefined || written === undefined || draft.fields.has("command")) {
    draft.fields.delete("transport");
    return;
  }
  const transport = client.untyped ?? transportByUrl(written);
  draft.fields.set(
    "transport",
    impliedField("transport", scalarAt(field?.value ?? url.value, transport)),
  );
  const why =
    client.untyped === null ? "by the URL" : `since ${client.title} reads a url without a type so`;
  draft.diagnostics.report(
    "GW133",
    url.keyPlace,
    `The transport is taken to be ${transport}, ${why}.`,
  );
}
