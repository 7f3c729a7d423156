import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { StoredSecrets } from "../secret-provider.ts";
import { awsError } from "./aws-failure.ts";
import type { AwsReader } from "./aws-reader.ts";
import type { AwsSettings } from "./aws-settings.ts";
import { readValue } from "./read-value.ts";
import { unusable } from "./unusable.ts";

interface Question {
  readonly reader: AwsReader;
  readonly settings: AwsSettings;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/**
 * All secrets of the namespace by one request. A namespace without a bundle has no secrets.
 * @throws GatewayError SECRET_PROVIDER_FAILED, SECRET_PROVIDER_REFUSED, SECRET_UNUSABLE
 */
export async function readBundle(
  { reader, settings, namespace, signal }: Question,
  names: readonly string[],
): Promise<StoredSecrets> {
  const read = await readValue(reader, `${settings.prefix}${namespace}/bundle`, signal);
  switch (read.kind) {
    case "text":
      return { values: parseBundle(read.text, namespace, names), whole: true };
    case "missing":
      return { values: new Map(), whole: true };
    case "binary":
      throw unusableBundle(namespace, names);
    case "failed":
      throw awsError(read.failure, settings.region, names);
  }
}

/** Its JSON object's strings; another kind of value is an error only for who asks for it. */
function parseBundle(
  text: string,
  namespace: string,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const bundle = parseObject(text);
  if (bundle === null) throw unusableBundle(namespace, names);
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(bundle)) {
    if (typeof value === "string") values.set(name, value);
    else if (names.includes(name)) throw unusable([name], "is not a string in the bundle");
  }
  return values;
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null; // told without the parser's message, which quotes the text
  }
}

function unusableBundle(namespace: string, names: readonly string[]): GatewayError {
  return new GatewayError(
    "SECRET_UNUSABLE",
    `The stored bundle of secrets of '${namespace}' is not a JSON object.`,
    {
      hint: 'Store one JSON object, {"NAME": "value"}, as the text of the secret.',
      details: { references: names },
    },
  );
}
