import {
  Client,
  type ConnectOptions,
  type JSONObject,
  type JsonSchemaValidatorResult,
  type PriorDiscovery,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type VersionNegotiationOptions,
} from "@modelcontextprotocol/client";
import type { GatewayError } from "../errors/gateway-error.ts";
import { answerForm } from "./answer-form.ts";
import { clientInfo, configCapability } from "./client-info.ts";
import { connectFailure } from "./connect-failure.ts";
import type {
  ResumedSession,
  SessionInfo,
  SessionNotification,
  SessionOptions,
} from "./session-types.ts";
import { TolerantTransport } from "./tolerant-transport.ts";
import { WireIds } from "./wire-ids.ts";

/** A connected SDK client and what the handshake told. */
export interface OpenClient {
  readonly client: Client;
  readonly transport: TolerantTransport;
  readonly info: SessionInfo;
  /** Of the session's options. */
  readonly takeTurn: SessionOptions["takeTurn"];
  /** What the client declares by itself. */
  readonly capabilities: NonNullable<SessionOptions["capabilities"]>;
}

export interface ClientListeners {
  readonly onNotification: (notification: SessionNotification) => void;
  readonly onException: (error: Error) => void;
  /** The connection ended, by either side. */
  readonly onEnd: (reasonOf: () => GatewayError) => void;
  /** A connection that came to nothing is being closed. */
  readonly onClosing: (closing: Promise<void>) => void;
}

/** How one attempt agrees on the protocol revision. */
type Approach =
  | { readonly kind: "prior"; readonly prior: PriorDiscovery }
  | { readonly kind: "auto" | "legacy" | "fallback" }
  | { readonly kind: "resume"; readonly session: ResumedSession }
  | { readonly kind: "pin"; readonly version: string };

/** A version probe may take this long before the server is taken for a legacy one. */
const longestProbeMs = 5_000;

/**
 * Opens a transport and runs the handshake on it; a second time, as legacy, where the version
 * probe hung or met a server error. Rejects with a GatewayError whose `executed` is `no`.
 */
export async function openClient(
  options: SessionOptions,
  listeners: ClientListeners,
  signal: AbortSignal,
): Promise<OpenClient> {
  const first = firstApproach(options);
  const opened = await attempt(first, options, listeners, signal);
  if (opened.ok) return opened.client;
  const second = signal.aborted ? null : nextApproach(first, opened);
  if (second === null) throw opened.error;
  const again = await attempt(second, options, listeners, signal);
  if (again.ok) return again.client;
  throw again.error;
}

type Attempt =
  | { readonly ok: true; readonly client: OpenClient }
  | {
      readonly ok: false;
      readonly error: GatewayError;
      readonly thrown: unknown;
      readonly told: unknown;
    };

function firstApproach(options: SessionOptions): Approach {
  if (options.resume !== undefined) return { kind: "resume", session: options.resume };
  if (options.protocol === "legacy") return { kind: "legacy" };
  if (options.protocol !== "auto") return { kind: "pin", version: options.protocol };
  return options.prior === undefined ? { kind: "auto" } : { kind: "prior", prior: options.prior };
}

/** What is worth a second attempt, or null. */
function nextApproach(first: Approach, failed: Extract<Attempt, { ok: false }>): Approach | null {
  if (first.kind === "auto") return probeFailed(failed) ? { kind: "fallback" } : null;
  // A server that has dropped the legacy handshake since the verdict was taken.
  return first.kind === "prior" && failed.error.code === "VERSION_UNSUPPORTED"
    ? { kind: "auto" }
    : null;
}

function probeFailed(failed: Extract<Attempt, { ok: false }>): boolean {
  if (failed.told instanceof SdkHttpError) return failed.told.status >= 500;
  return failed.thrown instanceof SdkError && failed.thrown.code === SdkErrorCode.RequestTimeout;
}

async function attempt(
  approach: Approach,
  options: SessionOptions,
  listeners: ClientListeners,
  signal: AbortSignal,
): Promise<Attempt> {
  const { target, connectTimeoutMs, firstRequestId } = options;
  const ids = new WireIds(firstRequestId);
  const transport = new TolerantTransport(await options.openTransport(signal), target, ids);
  const close = (): void => listeners.onClosing(transport.close());
  signal.addEventListener("abort", close, { once: true });
  const client = createClient(approach, options, listeners, transport);
  try {
    signal.throwIfAborted();
    await client.connect(transport, connectOptions(approach, connectTimeoutMs));
    const info = describe(approach, client);
    const { takeTurn } = options;
    const capabilities = capabilitiesOf(options);
    return { ok: true, client: { client, transport, info, takeTurn, capabilities } };
  } catch (thrown) {
    close();
    const { lastFailure: told, offeredVersion } = transport;
    const error = connectFailure({
      error: thrown,
      transportFailure: told,
      offeredVersion,
      target,
      connectTimeoutMs,
    });
    return { ok: false, error, thrown, told };
  } finally {
    signal.removeEventListener("abort", close);
  }
}

function createClient(
  approach: Approach,
  options: SessionOptions,
  listeners: ClientListeners,
  transport: TolerantTransport,
): Client {
  const client = new Client(clientInfo, {
    capabilities: capabilitiesOf(options),
    versionNegotiation: negotiationOf(approach, options.connectTimeoutMs),
    inputRequired: { autoFulfill: false },
    jsonSchemaValidator: { getValidator: unchecked },
  });
  client.onerror = listeners.onException;
  client.onclose = () => listeners.onEnd(() => transport.endReason());
  client.fallbackNotificationHandler = async ({ method, params }) => {
    listeners.onNotification({ method, params: params ?? {} });
  };
  if (options.fillsForms === true) {
    client.setRequestHandler("elicitation/create", async ({ params }) => answerForm({ ...params }));
  }
  const { onQuestion } = options;
  if (onQuestion !== undefined) {
    client.fallbackRequestHandler = async ({ method, params }, { mcpReq }) =>
      onQuestion({ method, params: params ?? {} }, mcpReq.signal);
  }
  return client;
}

/** Peers' schemas are not evaluated: their patterns may be hostile, and a breach loses nothing. */
function unchecked<T>(): (input: unknown) => JsonSchemaValidatorResult<T> {
  return () => ({
    valid: false,
    data: undefined,
    errorMessage: "schemas of peers are not evaluated",
  });
}

function capabilitiesOf(options: SessionOptions): NonNullable<SessionOptions["capabilities"]> {
  const { config, fillsForms } = options;
  const forms = fillsForms === true ? { elicitation: { form: { applyDefaults: true } } } : {};
  const capabilities = { ...options.capabilities, ...forms };
  if (config === undefined) return capabilities;
  // The config came from JSON or YAML; a round trip makes it JSON in any case.
  const plain = JSON.parse(JSON.stringify(config)) as JSONObject;
  const experimental = { ...capabilities.experimental, [configCapability]: plain };
  return { ...capabilities, experimental };
}

function negotiationOf(approach: Approach, connectTimeoutMs: number): VersionNegotiationOptions {
  const probe = { timeoutMs: Math.min(longestProbeMs, Math.ceil(connectTimeoutMs / 2)) };
  if (approach.kind === "pin")
    return { mode: { pin: approach.version }, probe: { timeoutMs: connectTimeoutMs } };
  return approach.kind === "auto" ? { mode: "auto", probe } : { mode: "legacy" };
}

function connectOptions(approach: Approach, timeout: number): ConnectOptions {
  return approach.kind === "prior" ? { timeout, prior: approach.prior } : { timeout };
}

function describe(approach: Approach, client: Client): SessionInfo {
  if (approach.kind === "resume") return describeResumed(approach.session);
  const serverInfo = client.getServerVersion();
  return {
    era: client.getProtocolEra() ?? "legacy",
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "",
    serverInfo: serverInfo === undefined ? null : { ...serverInfo },
    capabilities: { ...client.getServerCapabilities() },
    instructions: client.getInstructions() ?? null,
    prior: approach.kind === "auto" ? verdictOf(client) : null,
  };
}

/** There was no handshake: the SDK's client sends on as soon as its transport has a session. */
function describeResumed({ protocolVersion, capabilities }: ResumedSession): SessionInfo {
  const untold = { serverInfo: null, instructions: null, prior: null };
  return { era: "legacy", protocolVersion, capabilities, ...untold };
}

/**
 * The verdict of a probe without anything that the server might say to one caller alone; of its
 * capabilities only that it can log, since log levels are told to no other server.
 */
function verdictOf(client: Client): PriorDiscovery {
  const discover = client.getDiscoverResult();
  if (discover === undefined) return { kind: "legacy" };
  const capabilities = discover.capabilities.logging === undefined ? {} : { logging: {} };
  return {
    kind: "modern",
    discover: { supportedVersions: discover.supportedVersions, capabilities },
  };
}
