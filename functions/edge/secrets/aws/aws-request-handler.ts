import type { SecretsManagerClientConfig } from "@aws-sdk/client-secrets-manager";

type RequestHandler = NonNullable<SecretsManagerClientConfig["requestHandler"]>;

/** What the SDK hands over: an HTTP request in parts. */
interface SdkRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Largest answer that is read, bytes: 20 secrets of AWS's largest size, as JSON. */
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * The SDK's way out, over our own `fetch`: no redirects, an answer of bounded size that is read
 * to its end while the signal counts.
 */
export function awsRequestHandler(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): RequestHandler {
  return {
    async handle(request: SdkRequest, options?: { abortSignal?: unknown }) {
      const { protocol, hostname, port, path, method, headers, body } = request;
      const url = `${protocol}//${hostname}${port === undefined ? "" : `:${port}`}${path}`;
      const signal = options?.abortSignal;
      const response = await fetch(url, {
        method,
        // The runtime sets both from the URL and the body.
        headers: withoutHeaders(headers, ["host", "content-length"]),
        ...(body === undefined ? {} : { body }),
        ...(signal instanceof AbortSignal ? { signal } : {}),
      });
      return {
        response: {
          statusCode: response.status,
          headers: Object.fromEntries(response.headers),
          body: await readBytes(response),
        },
      };
    },
  };
}

function withoutHeaders(
  headers: Readonly<Record<string, string>>,
  dropped: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !dropped.includes(name.toLowerCase())),
  );
}

async function readBytes(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxAnswerBytes) throw new RangeError("the secret store's answer is too large");
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
