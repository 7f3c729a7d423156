import type { HostOf } from "./host-of.ts";
import type { Settings } from "./settings.ts";
import { verifyBody, verifyTicket } from "./verify-ticket.ts";

/**
 * A `DELETE` says which run or session ends, not on which of the tenant's hosts it is: each that
 * is up is asked, and none is woken.
 */
export async function cancelEverywhere(
  request: Request,
  settings: Settings,
  hostOf: HostOf,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const authorization = request.headers.get("authorization") ?? "";
  // What the edge signs for such a request: its method and path, the id as it is.
  const signed = new TextEncoder().encode(`DELETE ${decoded(pathname)}`);
  const claims = await verifyTicket(settings.ticketKey, authorization);
  await verifyBody(claims, signed);
  const { tenant } = claims;
  const asked = [false, true].map(async (submitted) => {
    const host = await hostOf({ tenant, submitted });
    return host.cancel(pathname, authorization);
  });
  const answers = (await Promise.all(asked)).filter((answer) => answer !== null);
  const bodies = await Promise.all(
    answers.map(async (answer) => ({ answer, text: await answer.text() })),
  );
  const told = bodies.find(({ answer, text }) => answer.ok && !isNone(text)) ?? bodies[0];
  if (told === undefined) return Response.json({ cancelled: 0 });
  // A status without a body takes none, not even an empty one.
  return new Response(told.text === "" ? null : told.text, told.answer);
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname; // No run has such an id.
  }
}

/** A host that knew nothing of it. */
function isNone(text: string): boolean {
  return /^\{"\w+":(?:0|false)\}$/.test(text);
}
