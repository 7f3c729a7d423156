import { mapLimited } from "../map-limited.ts";
import type { StoredSecrets } from "../secret-provider.ts";
import { attempt } from "./attempt.ts";
import { type AwsFailure, awsError, awsFailureKind } from "./aws-failure.ts";
import { type AwsBatch, type AwsReader, batchSize } from "./aws-reader.ts";
import { type AwsSettings, currentStage } from "./aws-settings.ts";
import { readValue, textRead, type ValueRead } from "./read-value.ts";
import { unusable } from "./unusable.ts";

/** Requests to AWS that wait for an answer at the same time. */
const maxConcurrent = 4;

/** How a missing right is told, as against credentials that are not valid at all. */
const denials: ReadonlySet<string> = new Set(["AccessDeniedException", "HTTP 403"]);

interface Question {
  readonly reader: AwsReader;
  readonly settings: AwsSettings;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

type NamedRead = readonly [name: string, read: ValueRead];

/**
 * One secret a name: by batches of 20, and one by one what a batch could not give because batches
 * are throttled or not granted, or because another version than the current one is wanted.
 * @throws GatewayError SECRET_PROVIDER_FAILED, SECRET_PROVIDER_REFUSED, SECRET_UNUSABLE
 */
export async function readNames(
  question: Question,
  names: readonly string[],
): Promise<StoredSecrets> {
  const batches =
    question.settings.stage === currentStage && names.length > 1 ? chunksOf(names, batchSize) : [];
  const batched = await mapLimited(batches, maxConcurrent, (chunk) => readBatch(question, chunk));
  const reads = new Map(batched.flat());
  const left = names.filter((name) => !reads.has(name));
  const singles = await mapLimited(left, maxConcurrent, (name) => readSingle(question, name));
  return { values: textsOf([...reads, ...singles]), whole: false };
}

/** What one batch tells; names that it tells nothing of are left out. */
async function readBatch(question: Question, names: readonly string[]): Promise<NamedRead[]> {
  const { reader, settings, signal } = question;
  const ids = names.map((name) => idOf(question, name));
  const mayPass = ({ kind }: AwsFailure): boolean => kind === "unavailable";
  const batch = await attempt(() => reader.getBatch(ids, signal), mayPass, signal);
  if (!batch.ok) {
    // Single reads have a rate limit of their own, a hundred times higher, and may alone be granted.
    if (batch.failure.kind === "throttled" || denials.has(batch.failure.code)) return [];
    throw awsError(batch.failure, settings.region, names);
  }
  return names.flatMap((name) => {
    const read = readOf(batch.answer, idOf(question, name));
    return read === null ? [] : [[name, read] as const];
  });
}

/** What the batch tells of one secret; null where it must be read by itself. */
function readOf(batch: AwsBatch, id: string): ValueRead | null {
  const text = batch.texts.get(id);
  if (text !== undefined) return textRead(text);
  const code = batch.failures.get(id);
  if (code === undefined) return batch.complete ? { kind: "missing" } : null;
  return awsFailureKind(code) === "missing" ? { kind: "missing" } : null;
}

async function readSingle(question: Question, name: string): Promise<NamedRead> {
  const { reader, settings, signal } = question;
  const read = await readValue(reader, idOf(question, name), signal);
  // The first failure ends the whole: what is down or refused for one is so for the rest.
  if (read.kind === "failed") throw awsError(read.failure, settings.region, [name]);
  return [name, read];
}

function idOf({ settings, namespace }: Question, name: string): string {
  return `${settings.prefix}${namespace}/${name}`;
}

function textsOf(reads: readonly NamedRead[]): ReadonlyMap<string, string> {
  const binary = reads.filter(([, { kind }]) => kind === "binary").map(([name]) => name);
  if (binary.length > 0) throw unusable(binary, "is binary, not text");
  return new Map(
    reads.flatMap(([name, read]) => (read.kind === "text" ? [[name, read.text] as const] : [])),
  );
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
