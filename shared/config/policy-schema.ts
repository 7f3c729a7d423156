import * as z from "zod";
import type { Check } from "../policy/check.ts";
import { parseDestination } from "../policy/destinations.ts";
import { parseListedHost } from "../policy/host-list.ts";
import { parsePackagePattern } from "../policy/package-lists.ts";
import { checkEnvName } from "../policy/env-names.ts";
import { commands, serverConfigSchema } from "./server-config.ts";

/** A text that one of the policy's own readers takes; its refusal is the issue. */
export function readBy(read: (text: string) => Check<unknown>) {
  return z.string().superRefine((text, context) => {
    const checked = read(text);
    if (checked.ok) return;
    context.addIssue({ code: "custom", message: `${checked.message} ${checked.hint}` });
  });
}

// Loopback is refused in production by whoever reads the file, who knows its mode.
const anyMode = { development: true };

const destination = readBy((text) => parseDestination(text, anyMode));

/** A destination with what else is allowed there. */
export const grantSchema = z.strictObject({
  url: destination.meta({ description: "The place, as `https://host[:port]/path-prefix`." }),
  allow_query: z.boolean().default(false).meta({
    description: "The secret may stand in the URL's query there. Default false.",
  }),
});

/** `send_to` of a tenant. */
export const sendToSchema = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
  z.array(destination.or(grantSchema)).min(1),
);

/** What servers of submitted configs may be. */
export const policySchema = z.strictObject({
  hosts: z
    .array(readBy((text) => parseListedHost(text, anyMode)))
    .optional()
    .meta({
      description:
        "Hosts that submitted remote servers may be at, `name` or `name:port`. Default in production: none.",
    }),
  packages: z.array(readBy(parsePackagePattern)).optional().meta({
    description:
      "Packages and images that submitted stdio servers may start: npm:NAME, npm:@SCOPE/*, pypi:NAME, docker:IMAGE, docker:OWNER/*. Default in production: none.",
  }),
  pinning: z.enum(["strict", "warn"]).optional().meta({
    description:
      "`strict` refuses launches without an exact version or digest, the tenant's own included. Default in production: strict for submitted servers, else warn.",
  }),
  env_opt_in: z
    .array(readBy((text) => checkEnvName(text, { optIn: [text] })))
    .default([])
    .meta({
      description:
        "Reserved names of environment variables that the tenant's servers may have after all, of those that may be set free. Default none.",
    }),
  allow_scripts: z.boolean().default(false).meta({
    description:
      "The scripts of npm packages run when they are installed, as the host's installer, for all of the tenant's servers. Default false.",
  }),
  min_release_age_days: z.number().positive().max(3650).optional().meta({
    description:
      "Days that a version of an npm or Python package, and of all that it depends on, must have been published before it is installed. Default: none.",
  }),
  volume_roots: z
    .array(z.string().regex(/^(?:\/[A-Za-z0-9._+@ -]+)+$/))
    .default([])
    .meta({
      description: "Folders of the docker host that containers may see parts of. Default none.",
    }),
});

/** A whole launch that may have the tenant's stored secrets when a request submits it. */
export const approvedLaunchSchema = z.strictObject({
  command: z.enum(commands).meta({ description: "The package runner." }),
  args: z.array(z.string()).min(1).meta({
    description: "Its arguments, with an exact version or digest and without references.",
  }),
  env: serverConfigSchema.shape.env.meta({
    description: "The whole environment, references unexpanded.",
  }),
  config: serverConfigSchema.shape.config,
  encoding: serverConfigSchema.shape.encoding,
  inputs: serverConfigSchema.shape.inputs,
});

const limit = z.int().positive().optional();

/** Upper bounds of one tenant; without a number there is no bound. */
export const limitsSchema = z.strictObject({
  calls_per_minute: limit.meta({
    description: "Tool calls and lists in one minute of the clock. Default: no limit.",
  }),
  calls_per_day: limit.meta({
    description: "Tool calls and lists in one day of UTC. Default: no limit.",
  }),
  container_minutes_per_day: limit.meta({
    description:
      "Minutes in one day of UTC that stdio servers work on the tenant's requests. Default: no limit.",
  }),
  idle_seconds: limit.meta({
    description:
      "Seconds that an unused stdio server stays warm; the host's own setting is the upper bound. Default: the host's setting.",
  }),
  session_idle_seconds: z.int().positive().max(900).optional().meta({
    description:
      "Seconds that the process of an unused session of a stdio server is kept, at most 900. Default: 300.",
  }),
});
