// Hands connections on between the network namespace that it is started in and sockets of the file
// system, which all namespaces share: `node namespace-relay-program.ts [LISTEN CONNECT]…`, each a
// path or HOST:PORT. Tells its parent when it listens, and ends with it.
import { type Place, startRelay } from "./relay.ts";

function place(text: string): Place {
  const [host = "", port = "0"] = text.split(":");
  return text.startsWith("/") ? { path: text } : { host, port: Number(port) };
}

const places = process.argv.slice(2).map(place);
while (places.length > 1) {
  const [from, to] = places.splice(0, 2);
  if (from !== undefined && to !== undefined) await startRelay(from, to);
}
process.send?.("ready");
process.once("disconnect", () => process.exit(0));
