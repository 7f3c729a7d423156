import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { neededCapabilities } from "../../../../functions/host/isolation/process-rights.ts";
import { readIsolationSettings } from "../../../../functions/host/isolation/isolation-settings.ts";
import { root } from "../../../support/source-files.ts";

const { host } = z
  .looseObject({
    services: z.looseObject({
      host: z.looseObject({
        environment: z.record(z.string(), z.string()),
        cap_add: z.array(z.string()),
      }),
    }),
  })
  .parse(parse(readFileSync(join(root, "infra/compose.yaml"), "utf8"))).services;

it("gives the host the rights that it needs, and no more", () => {
  expect(host.cap_add.toSorted()).toEqual([...neededCapabilities]);
});

it("hands the host the settings that a machine may need, and their defaults without them", () => {
  const name = "GANGWAY_HOST_METADATA_ADDRESS";
  expect(host.environment).toMatchObject({
    GANGWAY_HOST_NPM_REGISTRY: "${GANGWAY_HOST_NPM_REGISTRY:-}",
    [name]: `\${${name}:-}`,
  });
  expect(readIsolationSettings({ [name]: "" }, 1)).toEqual(readIsolationSettings({}, 1));
});
