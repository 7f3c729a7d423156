// Hands connections on between the network namespace that it is started in and sockets of the file
// system, which all namespaces share: `node namespace-relay-program.ts [LISTEN CONNECT]…`, each a
// path or HOST:PORT. Tells its parent when it listens, and ends with it.
import { once } from "node:events";
import { connect, createServer } from "node:net";

const places = process.argv.slice(2);

type Place = { readonly path: string } | { readonly host: string; readonly port: number };

function place(text: string): Place {
  const [host = "", port = "0"] = text.split(":");
  return text.startsWith("/") ? { path: text } : { host, port: Number(port) };
}

for (let index = 0; index < places.length; index += 2) {
  const target = place(places[index + 1] ?? "");
  const server = createServer({ allowHalfOpen: true }, (from) => {
    const to = connect({ ...target, allowHalfOpen: true });
    from.pipe(to).pipe(from);
    // A connection that breaks off on either side does on the other.
    from.once("error", () => to.destroy()).once("close", () => to.destroy());
    to.once("error", () => from.destroy()).once("close", () => from.destroy());
  });
  server.listen(place(places[index] ?? ""));
  await once(server, "listening");
}
process.send?.("ready");
process.once("disconnect", () => process.exit(0));
