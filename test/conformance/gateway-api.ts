/** Gangway's HTTP API as an agent uses it, with one submitted server in scope. */
export interface GatewayApi {
  /** Posts to a route; resolves with the answer's body, and rejects when it is no success. */
  readonly ask: (path: string, body: Record<string, unknown>) => Promise<Record<string, unknown>>;
}

export interface GatewayAccess {
  /** Origin of the edge. */
  readonly url: string;
  readonly key: string;
  /** The config that every request submits. */
  readonly config: Record<string, unknown>;
  /** Forms of servers of the legacy era are to be filled in by their defaults. */
  readonly fillsForms: boolean;
}

export function gatewayApi({ url, key, config, fillsForms }: GatewayAccess): GatewayApi {
  // A caller that can answer every kind of question.
  const form = fillsForms ? { applyDefaults: true } : {};
  const capabilities = { elicitation: { form }, sampling: {}, roots: {} };
  return {
    async ask(path, body) {
      const options = path.endsWith("/list") ? {} : { capabilities };
      const response = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ config, options, ...body }),
      });
      const text = await response.text();
      const answer: unknown = JSON.parse(text);
      if (!response.ok || !isRecord(answer)) {
        throw new TypeError(`${path} answered HTTP ${response.status}: ${text}`);
      }
      return answer;
    },
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
