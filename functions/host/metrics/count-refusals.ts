import { toGatewayError } from "../http/error-answer.ts";
import type { TicketGate } from "../http/ticket-gate.ts";
import type { HostMetrics } from "./host-metrics.ts";

/** The same gate; what it refuses is counted. */
export function countRefusals(
  gate: Pick<TicketGate, "admit">,
  metrics: HostMetrics,
): Pick<TicketGate, "admit"> {
  return {
    admit: (request) => {
      try {
        return gate.admit(request);
      } catch (error) {
        metrics.refusedTicket(toGatewayError(error).code);
        throw error;
      }
    },
  };
}
