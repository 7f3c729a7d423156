import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";

/** A server on a free loopback port that keeps what arrives. */
export interface Listener {
  /** Origin, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Connections that were ever opened. */
  readonly connections: () => number;
  /** Path, headers and body of every request, as one text each. */
  readonly arrived: readonly string[];
  readonly close: () => Promise<void>;
}

/** Answers every request by `answer`; default HTTP 500. */
export async function startListener(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => {
    response.writeHead(500).end();
  },
): Promise<Listener> {
  const arrived: string[] = [];
  let connections = 0;
  const server: Server = createServer((request, response) => {
    const head = `${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`;
    arrived.push(head);
    const place = arrived.length - 1;
    request.setEncoding("utf8").on("data", (text: string) => {
      arrived[place] += text;
    });
    request.on("end", () => answer(request, response));
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    arrived,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
