import type { UpstreamFetch } from "./upstream-fetch.ts";

export interface StreamableHttpOptions {
  /** The MCP endpoint, references resolved. */
  readonly url: string;
  /** Configured headers, references resolved. */
  readonly headers: Readonly<Record<string, string>>;
  /** The guarded way out; called with `redirect: "manual"`. */
  readonly fetch: UpstreamFetch;
  /** End the legacy session with DELETE on close. */
  readonly terminateOnClose: boolean;
  /** A session of the legacy era that goes on. */
  readonly session?: ServerSession;
  /** Milliseconds without a byte on a response before it counts as dead. */
  readonly silenceMs: number;
  /** Bytes of one answer, inflated. Default 10 MiB. */
  readonly maxMessageBytes?: number;
  /** A session of the legacy era listens to what the server says outside of any request. */
  readonly listens?: boolean;
}

/** A session as the server knows it. */
export interface ServerSession {
  readonly id: string;
  readonly protocolVersion: string;
}
