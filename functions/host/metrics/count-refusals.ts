import { toGatewayError } from "../http/error-answer.ts";
import type { TicketGate } from "../http/ticket-gate.ts";
import type { HostMetrics } from "./host-metrics.ts";

/** The same gate; what it refuses is counted. */
export function countRefusals(
  gate: Pick<TicketGate, "admit">,
  metrics: HostMetrics,
): Pick<TicketGate, "admit"> {
  const counted = <Checked>(check: () => Checked): Checked => {
    try {
      return check();
    } catch (error) {
      metrics.refusedTicket(toGatewayError(error).code);
      throw error;
    }
  };
  return {
    admit: (authorization) => {
      const admission = counted(() => gate.admit(authorization));
      return { take: (body) => counted(() => admission.take(body)) };
    },
  };
}
