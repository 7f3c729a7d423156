import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findFreePort, requireFreePort } from "../../../../infra/start/free-port.ts";

let server: Server;
let taken: number;
beforeEach(async () => {
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  taken = typeof address === "object" && address !== null ? address.port : 0;
});
afterEach(() => server.close());

it("takes another port where the usual one is taken", async () => {
  const found = await findFreePort(taken, 8787);
  expect(found).not.toBe(taken);
  await expect(requireFreePort(found, "--host-port")).resolves.toBeUndefined();
});

it("takes the usual port when it is free, unless the edge has it", async () => {
  const free = await findFreePort(taken, 8787);
  expect(await findFreePort(free, 8787)).toBe(free);
  expect(await findFreePort(free, free)).not.toBe(free);
});

it("names the option of a port that was asked for and is taken", async () => {
  await expect(requireFreePort(taken, "--host-port")).rejects.toThrow(
    `Port ${taken} is taken: stop what listens there, or choose another with \`npm start -- --host-port PORT\`.`,
  );
});
