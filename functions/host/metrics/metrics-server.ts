import { createServer, type Server, type ServerResponse } from "node:http";
import type { HostMetrics } from "./host-metrics.ts";

/**
 * Answers `GET /metrics`, and nothing else. It has a port of its own, without tickets: who may
 * reach the port may read the numbers.
 */
export function createMetricsServer(metrics: HostMetrics): Server {
  return createServer((request, response) => {
    const path = request.url?.split("?", 1)[0];
    if (path !== "/metrics") return answer(response, 404, "There is only GET /metrics here.\n");
    if (request.method !== "GET") {
      response.setHeader("allow", "GET");
      return answer(response, 405, "/metrics takes GET only.\n");
    }
    metrics.text().then(
      (text) => answer(response, 200, text, metrics.contentType),
      () => answer(response, 500, "The metrics could not be read.\n"),
    );
  });
}

function answer(
  response: ServerResponse,
  status: number,
  text: string,
  contentType = "text/plain; charset=utf-8",
): void {
  response.writeHead(status, { "content-type": contentType, "cache-control": "no-store" });
  response.end(text);
}
