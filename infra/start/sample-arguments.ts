import * as z from "zod";

const schema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

const property = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  minLength: z.number().optional(),
  format: z.string().optional(),
});

const formats: Readonly<Record<string, string>> = {
  uri: "https://example.com",
  email: "ada@example.com",
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
};

/** Arguments that a tool's input schema takes, its required ones alone; null where they are not simple. */
export function sampleArguments(inputSchema: unknown): Record<string, unknown> | null {
  const read = schema.safeParse(inputSchema);
  if (!read.success) return null;
  const samples: Record<string, unknown> = {};
  for (const name of read.data.required) samples[name] = sample(read.data.properties[name]);
  return Object.values(samples).includes(undefined) ? null : samples;
}

function sample(written: unknown): unknown {
  const read = property.safeParse(written);
  if (!read.success) return undefined;
  const { type, enum: choices, examples, minimum, minLength = 0, format = "" } = read.data;
  const given = [read.data.const, read.data.default, examples?.[0], choices?.[0]];
  const known = given.find((value) => value !== undefined);
  if (known !== undefined) return known;
  switch (type) {
    case "string":
      return (formats[format] ?? "text").padEnd(minLength, "t");
    case "number":
    case "integer":
      return minimum ?? 1;
    case "boolean":
      return true;
    default:
      return undefined;
  }
}
