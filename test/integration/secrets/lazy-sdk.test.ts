import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../../support/source-files.ts";

/** Prints how many modules of the AWS SDK were loaded after the edge's start, and after one read. */
const program = `
import { registerHooks } from "node:module";
let loaded = 0;
registerHooks({
  load(url, context, next) {
    if (/@(?:aws-sdk|smithy)\\//.test(url)) loaded += 1;
    return next(url, context);
  },
});
await import("./functions/edge/app.ts");
const { createSecrets } = await import("./functions/edge/secrets/create-secrets.ts");
const { readSecretSettings } = await import("./functions/edge/secrets/secret-settings.ts");
const problems = [];
const env = {
  AWS_REGION: "eu-west-1",
  AWS_ACCESS_KEY_ID: "key",
  AWS_SECRET_ACCESS_KEY: "secret",
  AWS_ENDPOINT_URL_SECRETS_MANAGER: "http://127.0.0.1:1",
};
const settings = readSecretSettings(env, true, problems);
const secrets = createSecrets({ settings, variables: new Map(), fetch, clock: Date.now });
await secrets.getSecrets("acme", []);
const atStart = loaded;
const code = await secrets.getSecrets("acme", ["A"]).catch((error) => error.code);
console.log(JSON.stringify({ problems, atStart, code, loaded: loaded > 0 }));
`;

it("loads the AWS SDK at the first question to AWS, not at start-up", async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], {
    cwd: root,
  });
  expect(JSON.parse(stdout)).toEqual({
    problems: [],
    atStart: 0,
    code: "SECRET_PROVIDER_FAILED",
    loaded: true,
  });
});
