import type { JWK } from "jose";
import * as z from "zod";
import type { TenantHost } from "./tenant-host.ts";

/** Bindings and variables of the runner. `GANGWAY_HOST_*` variables are those of its hosts. */
export interface Env {
  readonly TENANT_HOSTS: DurableObjectNamespace<TenantHost>;
  readonly [name: string]: unknown;
}

export interface Settings {
  /** The public half of the edge's ticket key: hosts and runner check tickets by it. */
  readonly ticketKey: JWK;
  /** Makes instance names that nobody can guess or read. */
  readonly nameKey: string;
  /** Which hosts have a way to the internet; without one they run what is in their image. */
  readonly internet: "all" | "operator" | "none";
  /** The environment that each host starts with. */
  readonly hostVariables: Readonly<Record<string, string>>;
}

const hostPrefix = "GANGWAY_HOST_";

const schema = z.object({
  GANGWAY_HOST_TICKET_KEY: z.string().transform((text, context) => {
    const key = ticketKeySchema.safeParse(parseJson(text));
    if (key.success) return key.data;
    context.addIssue({ code: "custom", message: "no public Ed25519 key in JWK form" });
    return z.NEVER;
  }),
  GANGWAY_RUNNER_NAME_KEY: z.string().min(32),
  GANGWAY_RUNNER_INTERNET: z.enum(["all", "operator", "none"]).default("all"),
});

/** A private half has no place here: the host's own environment would hold it. */
const ticketKeySchema = z
  .looseObject({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string() })
  .refine((key) => !("d" in key));

/** The only reader of the runner's environment; null with the names of what is missing or wrong. */
export function readSettings(env: Env): Settings | { readonly wrong: readonly string[] } {
  const read = schema.safeParse(env);
  if (!read.success) return { wrong: read.error.issues.map(({ path }) => path.join(".")) };
  return {
    ticketKey: read.data.GANGWAY_HOST_TICKET_KEY,
    nameKey: read.data.GANGWAY_RUNNER_NAME_KEY,
    internet: read.data.GANGWAY_RUNNER_INTERNET,
    hostVariables: hostVariables(env),
  };
}

function hostVariables(env: Env): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith(hostPrefix) && typeof value === "string") variables[name] = value;
  }
  return variables;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // told as a key of the wrong form
  }
}
