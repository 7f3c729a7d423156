import type { Client, FieldUse } from "../../shared/config/dialects/client.ts";
import { dialects } from "../../shared/config/dialects/table.ts";

const marker =
  "<!-- Generated from shared/config/dialects by `node infra/generate/main.ts`; do not edit. -->";

/** `docs/reference/dialects.md`: how each client's file is recognised and what becomes of its fields. */
export function dialectsDoc(): string {
  const clients = dialects.flatMap(({ client }) => client ?? []);
  return [
    "# Config dialects",
    marker,
    "Gangway reads the config files of these clients as they stand. A file is recognised by its name, else by its shape; the `dialect` option forces one. Everything is read into the native form, whose fields the tables name; what changes on the way is told as a finding. The native form itself (`native`) is described by `agent.schema.json`.",
    summary(clients),
    ...clients.map(section),
    "",
  ].join("\n\n");
}

function summary(clients: readonly Client[]): string {
  const rows = clients.map(({ id, title, files, sections }) => {
    const names = files.length === 0 ? "by shape only" : files.map(code).join(", ");
    return `| [${code(id)}](#${id}) | ${title} | ${names} | ${sections.map(keyPath).join(", ")} |`;
  });
  return [
    "| Dialect | Client | Files | Servers under |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function section(client: Client): string {
  const { id, title, syntaxes, variables, untyped, json } = client;
  const references =
    syntaxes.length === 0 ? "none; what looks like one is told" : syntaxes.map(code).join(", ");
  const url =
    untyped === null
      ? "concluded from the URL, and told"
      : `\`${untyped}\`, as the client reads it`;
  return [
    `## ${id}`,
    [
      `- Client: ${title}`,
      `- Entries: a ${client.layout} under ${client.sections.map(keyPath).join(" or ")}`,
      `- References: ${references}`,
      ...(variables === undefined
        ? []
        : [
            `- Filled by the client alone: ${variables.map((name) => code(`\${${name}}`)).join(", ")}`,
          ]),
      `- A url without a type: ${url}`,
      `- JSON: ${jsonTexts[json]}`,
    ].join("\n"),
    fieldTable(client.fields),
  ].join("\n\n");
}

const jsonTexts: Readonly<Record<Client["json"], string>> = {
  strict: "strict; comments and trailing commas are read and told",
  comments: "with comments; trailing commas are read and told",
  commas: "with comments and trailing commas",
};

function fieldTable(fields: Client["fields"]): string {
  const rows = Object.entries(fields).map(([name, use]) => `| ${code(name)} | ${useText(use)} |`);
  return ["| Field | Becomes |", "| --- | --- |", ...rows].join("\n");
}

function useText(use: FieldUse): string {
  if (use === "own") return "nothing: it concerns the client itself";
  if (use === "unused") return "nothing, and that is told";
  return `${code(use.to)}${use.unit === "ms" ? ", from milliseconds" : ""}`;
}

function keyPath(path: readonly string[]): string {
  return path.length === 0 ? "the top" : code(path.join("."));
}

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}
