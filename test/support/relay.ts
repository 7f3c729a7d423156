import { once } from "node:events";
import { connect, createServer } from "node:net";

/** Where connections come from or go to: a path of the file system, or an address. */
export type Place = { readonly path: string } | { readonly host: string; readonly port: number };

export interface Relay {
  /** 0 where it listens on a path. */
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Hands every connection on; one that breaks off on either side does on the other. */
export async function startRelay(from: Place, to: Place): Promise<Relay> {
  const sockets = new Set<{ readonly destroy: () => void }>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ ...to, allowHalfOpen: true });
    client.pipe(target).pipe(client);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.once("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(from);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
