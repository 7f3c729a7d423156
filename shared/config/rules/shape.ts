import { blocking, info, noted, warning, type Rule } from "./rule.ts";

const noServers =
  "GW110 is for documents that have no form in which a known client writes servers; a document of a known form that holds none, such as `mcpServers: {}` or a `tools` list of other types, gets GW111.";
const unknownFields =
  "GW113 is for the native form and the deployment file, whose fields are all known here; a field of another client's entry gets GW114, since the client may be newer than its documentation.";

/** GW1xx: the text, its syntax, and the shape of entries. */
export const shapeRules = {
  GW100: blocking(
    "The document cannot be parsed.",
    "Mend the syntax at the place shown; nothing after it can be trusted.",
    "CONFIG_SYNTAX",
  ),
  GW101: blocking(
    "The file is not plain UTF-8 text.",
    "Save the file as UTF-8 without NUL characters.",
    "CONFIG_SYNTAX",
  ),
  GW102: blocking(
    "A key is written twice in one object.",
    "Keep one of the two: readers disagree about which one counts.",
  ),
  GW103: blocking(
    "A merge-conflict marker was left in the file.",
    "Settle the conflict and delete the marker lines.",
    "CONFIG_SYNTAX",
  ),
  GW104: blocking(
    "The file holds more than one document.",
    "Keep one document in the file.",
    "CONFIG_SYNTAX",
  ),
  GW105: blocking(
    "The document is larger or deeper than the validator reads.",
    "Split the document; the message names the limit.",
    "CONFIG_SYNTAX",
  ),
  GW106: blocking(
    "A YAML anchor, alias or tag cannot be read safely.",
    "Write the value out; only plain data types and a few aliases are read.",
    "CONFIG_SYNTAX",
  ),
  GW107: blocking(
    "A key has a name that is reserved by JavaScript.",
    "Rename `__proto__`, `constructor` and `prototype` keys.",
  ),
  GW108: info(
    "The file starts with a byte order mark.",
    "Save the file without a byte order mark: some clients cannot parse it.",
  ),
  GW109: warning(
    "The file uses JSON extensions that its client does not read.",
    "Remove comments and trailing commas; this client reads strict JSON.",
  ),
  GW110: noted(
    blocking(
      "The document holds no MCP servers that could be recognised.",
      "Put servers under `tools:` (native), `mcpServers`, `servers` or another known key.",
    ),
    noServers,
  ),
  GW111: noted(
    info(
      "The document is well formed and has no MCP servers.",
      "Add a server, or leave the file out of the check.",
    ),
    noServers,
  ),
  GW112: blocking(
    "A part of the config has the wrong shape.",
    "The message tells what is expected in that place.",
  ),
  GW113: noted(
    blocking(
      "The server's entry has an unknown field.",
      "Correct the spelling or remove the field; the JSON Schema lists all that there are.",
    ),
    unknownFields,
  ),
  GW114: noted(
    warning(
      "The client's own documentation does not know this field.",
      "Check the field's spelling; it is not used.",
    ),
    unknownFields,
  ),
  GW115: info(
    "A field has no meaning for a gateway and is not used.",
    "Nothing to do; the field may stay for its client.",
  ),
  GW116: warning(
    "The server's top key is not the one that this client reads.",
    "Use the key that the message names, or the client will not see the servers.",
  ),
  GW117: warning(
    "An inline ignore has no effect.",
    "Write `gangway-ignore GW204: reason` with a known, suppressible rule and a reason.",
  ),
  GW118: blocking(
    "A server has more arguments than Gangway passes on.",
    "Move settings into `config` or `env`; the message names the limit.",
  ),
  GW119: info(
    "There are more findings or references than a report holds.",
    "Mend those that are shown, and check again; references that are not listed are used all the same.",
  ),
  GW120: blocking(
    "A field's value has the wrong type.",
    "The message tells the expected and the given type.",
  ),
  GW121: blocking("A required field is missing.", "Add the field."),
  GW122: blocking(
    "The server's name has characters that are not allowed.",
    "Use letters, digits and single underscores.",
  ),
  GW123: info(
    "The name of a server or input was changed to a legal one.",
    "Use the new name in calls, or change the name in the file.",
  ),
  GW124: blocking("A number is out of range.", "The message tells the range."),
  GW125: blocking(
    "A field's value is none of the allowed ones.",
    "Use one of the values that the message lists.",
  ),
  GW126: warning(
    "A field belongs to another transport and is not used.",
    "Remove the field, or change the transport.",
  ),
  GW127: blocking(
    "`command` and `url` contradict the transport.",
    "Keep `command` for stdio, or `url` for sse, websocket and http.",
  ),
  GW128: blocking(
    "An option is written in two spellings.",
    "Keep `env_file` or `envFile`, not both.",
  ),
  GW129: warning(
    "`server` alone is a deprecated way to name a package.",
    'Write `command: npx` and `args: ["-y", "<package>"]`.',
  ),
  GW131: warning("The global config has no version.", 'Add `version: "1.0"` as the first line.'),
  GW132: blocking("The config's version is not known.", 'Write `version: "1.0"`.'),
  GW133: info(
    "The transport was concluded from the URL.",
    "Write the transport to make it certain.",
  ),
  GW134: blocking(
    "A field that the transport needs is missing.",
    "stdio needs `command`; sse, websocket and http need `url`.",
    "TRANSPORT_FIELD_MISSING",
  ),
  GW135: info("The server is disabled and cannot be called.", "Remove the flag to use the server."),
  GW136: info(
    "An entry is not an MCP server that a gateway could run.",
    "Nothing to do; the entry may stay for its client.",
  ),
  GW137: warning(
    "The client itself would misread or refuse this entry.",
    "The message tells what the client expects.",
  ),
  GW138: blocking(
    "The encoding is not one that Gangway reads.",
    "Use `utf-8`, or another encoding that contains ASCII.",
  ),
  GW139: blocking(
    "A text is longer than the validator reads.",
    "Keep long data out of the config.",
  ),
  GW142: blocking(
    "A YAML tag is not a plain data type.",
    "Remove the tag, and write the value out.",
  ),
  GW143: noted(
    warning(
      "A text holds characters that change the order in which it is shown.",
      "Remove the control characters: people and models would read something else than what is there.",
    ),
    "Told for embeddings, overrides and isolates (U+202A to U+202E, U+2066 to U+2069) in every text of a server; the marks that right-to-left scripts need (U+061C, U+200E, U+200F) are not told.",
  ),
  GW140: blocking(
    "A production deployment file holds a `development` section.",
    "Move it to the development file: a key that everyone knows must not reach production.",
  ),
  GW141: blocking(
    "A value does not have the form that its field asks for.",
    "The message tells the form.",
  ),
} as const satisfies Record<string, Rule>;
