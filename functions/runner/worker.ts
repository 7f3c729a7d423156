import { GatewayError } from "../../shared/errors/gateway-error.ts";
import { errorAnswer, toGatewayError } from "./answers.ts";
import { cancelEverywhere } from "./cancel-everywhere.ts";
import { type HostOf, hostsOf } from "./host-of.ts";
import { readBody } from "./read-body.ts";
import { readRunFacts } from "./run-facts.ts";
import { type Env, readSettings, type Settings } from "./settings.ts";
import { factsHeader } from "./tenant-host.ts";
import { verifyBody, verifyTicket } from "./verify-ticket.ts";

export { TenantHost } from "./tenant-host.ts";

/** Speaks the host's contract v1: whoever sees to which container a run goes is the runner alone. */
export default {
  async fetch(request, env): Promise<Response> {
    try {
      return await answer(request, env);
    } catch (error) {
      return errorAnswer(toGatewayError(error));
    }
  },
} satisfies ExportedHandler<Env>;

async function answer(request: Request, env: Env): Promise<Response> {
  const settings = readSettings(env);
  if ("wrong" in settings) {
    const message = `The runner has no proper ${settings.wrong.join(", ")}.`;
    throw new GatewayError("NOT_READY", message);
  }
  const { pathname } = new URL(request.url);
  const hostOf = hostsOf(env, settings);
  if (request.method === "POST" && pathname === "/v1/run") {
    return run(request, settings, hostOf);
  }
  if (request.method === "DELETE" && /^\/v1\/(?:runs|sessions)\/[^/]+$/.test(pathname)) {
    return cancelEverywhere(request, settings, hostOf);
  }
  throw new GatewayError("ROUTE_NOT_FOUND", `There is no ${request.method} ${pathname}.`);
}

/** A run whose ticket is not in order wakes nothing; the host checks the ticket again, and its use. */
async function run(request: Request, settings: Settings, hostOf: HostOf): Promise<Response> {
  const authorization = request.headers.get("authorization") ?? "";
  const claims = await verifyTicket(settings.ticketKey, authorization);
  const body = await readBody(request);
  await verifyBody(claims, body);
  const { tenant, ...facts } = await readRunFacts(body);
  if (tenant !== claims.tenant) {
    throw new GatewayError("TICKET_INVALID", "The run ticket was refused: it is another tenant's.");
  }
  const host = await hostOf({ tenant, submitted: facts.submitted });
  return host.fetch("http://host/v1/run", {
    method: "POST",
    headers: { authorization, [factsHeader]: JSON.stringify(facts) },
    body,
    signal: request.signal,
  });
}
