import { describe, expect, it } from "vitest";
import type { UsableServer } from "../../../../functions/edge/operation/select.ts";
import { timeLimit } from "../../../../functions/edge/operation/time-limit.ts";
import { serverConfigSchema } from "../../../../shared/config/server-config.ts";

function server(request_timeout: number): UsableServer {
  const config = serverConfigSchema.parse({ name: "s", type: "mcp", request_timeout });
  return { name: "s", source: "tenant", config, disabled: false, findings: [], envFiles: {} };
}

describe("the time limit of an operation", () => {
  it.each([
    ["the request's", 60, 0.5, 500],
    ["the request's, in whole milliseconds", 60, 2.01, 2010],
    ["at least one millisecond", 60, 1e-9, 1],
    ["else the server's", 60, undefined, 60_000],
    ["never more than the deployment's", 60, 400, 300_000],
    ["never more than the deployment's, whatever the config says", 900, undefined, 300_000],
  ])("is %s (case 35)", (_name, requestTimeout, timeoutS, timeoutMs) => {
    const limit = timeLimit(server(requestTimeout), timeoutS, 300_000);
    expect(limit).toMatchObject({ timeoutMs, extendsToMs: 300_000 });
    const cut = timeoutS === 400 || requestTimeout === 900;
    expect(limit.warnings.map(({ code }) => code)).toEqual(cut ? ["TIMEOUT_CUT"] : []);
  });
});
