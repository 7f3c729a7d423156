import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { canariesIn, canaryPlaces, makeCanary, placingOf } from "../support/canary.ts";
import { soak } from "../support/soak.ts";
import { startSoakSetup } from "../support/soak-setup.ts";

const calls = 2_000;

describe("2,000 calls of eight tenants over every remote transport, 256 in flight", () => {
  it("each get their own answer, cancelled and broken off ones among them (cases 1, 2, 4)", async () => {
    await using setup = await startSoakSetup();
    const { gangway, servers } = setup;
    const { answered, cancelled, disconnected, lost, foreign, missing } = await soak(gangway, {
      calls,
      inFlight: 256,
      servers,
    });
    expect({ foreign, missing }).toEqual({ foreign: [], missing: [] });
    // A server may close an idle connection as a request comes on it: told, and rare.
    expect(lost.length).toBeLessThan(calls / 200);
    expect(answered + cancelled + disconnected).toBe(calls);
    // One in twenty; a call that is answered before it is cancelled counts as answered.
    expect(disconnected).toBe(calls / 20);
    expect(cancelled).toBeGreaterThan(calls / 40);
  }, 300_000);
});

describe("the checker", () => {
  const [own, other] = [makeCanary(1), makeCanary(2)];
  const answers: Readonly<Record<(typeof canaryPlaces)[number], (canary: string) => string>> = {
    text: (canary) => JSON.stringify({ content: [{ type: "text", text: canary }] }),
    image: (canary) =>
      JSON.stringify({ content: [{ data: Buffer.from(canary).toString("base64") }] }),
    progress: (canary) =>
      `event: progress\ndata: {"message":"${canary}"}\n\nevent: result\ndata: "${own}"\n\n`,
    error: (canary) => JSON.stringify({ error: { details: { rpc_message: canary } } }),
  };

  it.each(canaryPlaces)("finds a planted swap in %s, and nothing where there is none", (place) => {
    expect(placingOf(own, answers[place](own))).toBe("right");
    expect(placingOf(own, answers[place](other))).toBe("foreign");
  });

  it("finds the calls of a gateway that swaps two answers", async () => {
    let held: { canary: string; response: ServerResponse } | null = null;
    let seen = 0;
    const http = createServer((request, response) => {
      request.setEncoding("utf8").on("data", (body: string) => {
        const [canary = ""] = canariesIn(body);
        seen += 1;
        if (seen === 3) held = { canary, response };
        else if (held === null) response.end(canary);
        else {
          response.end(held.canary);
          held.response.end(canary);
          held = null;
        }
      });
    });
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const target = { url, keys: new Map([["acme", "key"]]) };
    const { foreign, missing } = await soak(target, { calls: 7, inFlight: 2, servers: ["one"] });
    http.close();
    expect(foreign).toHaveLength(2);
    expect(missing).toEqual([]);
  });

  it("finds a foreign canary beside the right one", () => {
    expect(placingOf(own, answers.text(own) + answers.image(other))).toBe("foreign");
    expect(canariesIn(answers.text(own) + answers.image(other))).toEqual([own, other]);
  });

  it("finds an answer that holds none, and tells lost connections apart", () => {
    const failed = (code: string) => placingOf(own, `{"success":false,"error":{"code":"${code}"}}`);
    expect(failed("INTERNAL")).toBe("missing");
    expect(failed("CONNECTION_LOST")).toBe("lost");
  });
});
