import * as z from "zod";
import { suggest } from "../../../shared/config/server/suggest.ts";

/** One way in which a request's body differs from what the route takes. */
export interface BodyIssue {
  /** JSON Pointer into the body. */
  readonly pointer: string;
  readonly message: string;
}

/** What callers write in the place of a field, and the fields that they mean; the first that the place has. */
const meant: Readonly<Record<string, readonly string[]>> = {
  args: ["arguments"],
  input: ["arguments", "inputs"],
  params: ["arguments"],
  parameters: ["arguments"],
  name: ["tool", "prompt", "server"],
  tool_name: ["tool"],
  method: ["tool"],
  server_name: ["server"],
  secrets: ["inputs"],
  timeout: ["timeout_s"],
  timeout_ms: ["timeout_s"],
  url: ["uri"],
  mcpServers: ["config"],
  mcp_servers: ["config"],
  tools: ["config"],
  yaml: ["config_text", "text"],
};

/** What a body's issues mean for whoever wrote it: fields that are unknown first, since they explain others. */
export function explainIssues(
  issues: readonly z.core.$ZodIssue[],
  body: unknown,
  schema: z.ZodType,
): BodyIssue[] {
  const unknown = issues.filter((issue) => issue.code === "unrecognized_keys");
  const others = issues.filter((issue) => issue.code !== "unrecognized_keys");
  return [
    ...unknown.flatMap((issue) => unknownFields(issue, schema)),
    ...others.map((issue) => ({
      pointer: pointerOf(issue.path),
      message: explain(issue, valueAt(body, issue.path)),
    })),
  ];
}

function unknownFields(
  { path, keys }: z.core.$ZodIssueUnrecognizedKeys,
  schema: z.ZodType,
): BodyIssue[] {
  const shape = shapeAt(schema, path);
  return keys.map((key) => {
    const field = meantField(key, shape);
    const question = field === null ? "" : `; did you mean '${field}'?`;
    return { pointer: pointerOf([...path, key]), message: `unknown field${question}` };
  });
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

function meantField(key: string, shape: Shape): string | null {
  const known = Object.keys(shape);
  const here = fieldOf(key, known);
  if (here !== null) return here;
  const options = shape["options"];
  const inside = options === undefined ? null : fieldOf(key, Object.keys(shapeOf(options)));
  return inside === null ? null : `options.${inside}`;
}

function fieldOf(key: string, known: readonly string[]): string | null {
  const alias = Object.hasOwn(meant, key) ? meant[key] : undefined;
  return alias?.find((name) => known.includes(name)) ?? suggest(key, known);
}

/** The fields of the object that a path leads to; none where it leads to no object. */
function shapeAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): Shape {
  let at: z.core.$ZodType | undefined = schema;
  for (const key of path) {
    const inner: z.core.$ZodType = unwrap(at);
    at = inner instanceof z.ZodArray ? inner.element : shapeOf(inner)[String(key)];
    if (at === undefined) return {};
  }
  return shapeOf(at);
}

function shapeOf(schema: z.core.$ZodType): Shape {
  const inner = unwrap(schema);
  return inner instanceof z.ZodObject ? inner.shape : {};
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return wrapped ? unwrap(schema.def.innerType) : schema;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  record: "an object",
  object: "an object",
};

function explain(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined && (issue.code === "invalid_type" || issue.code === "invalid_union"))
    return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeNames[issue.expected] ?? issue.expected}, got ${typeOf(value)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.minimum === 1 && issue.origin in units
        ? "must not be empty"
        : bounded(issue.inclusive === false ? "more than" : "at least", issue.minimum, issue);
    case "too_big":
      return bounded(issue.inclusive === false ? "less than" : "at most", issue.maximum, issue);
    case "invalid_key":
      return issue.issues[0]?.message ?? issue.message;
    case "invalid_union":
      return issue.discriminator === undefined
        ? "has none of the forms that are taken here"
        : `'${issue.discriminator}' is none of those that are taken here`;
    default:
      return issue.message;
  }
}

/** What is counted of values that have a size. */
const units: Readonly<Record<string, string>> = { string: " characters", array: " items" };

function bounded(how: string, bound: number | bigint, { origin }: { origin: string }): string {
  return `must ${origin in units ? "have" : "be"} ${how} ${bound}${units[origin] ?? ""}`;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeNames[typeof value] ?? "nothing";
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, key)
        ? Reflect.get(at, key)
        : undefined,
    body,
  );
}

/** RFC 6901 */
function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
