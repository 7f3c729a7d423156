import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "smol-toml";
import * as z from "zod";

const configSchema = z.looseObject({
  main: z.string(),
  alias: z.record(z.string(), z.string()).default({}),
});

/**
 * The edge's wrangler.toml for a run on this machine, as the text of a JSON config that may stand
 * in any folder: with another deployment behind `#deployment`, and with variables, which
 * a file carries unchanged where command lines and dotenv files would not.
 */
export function workerConfig(
  tomlFile: string,
  run: { readonly deploymentFile: string; readonly vars: Readonly<Record<string, string>> },
): string {
  const { main, alias, ...config } = configSchema.parse(parse(readFileSync(tomlFile, "utf8")));
  const folder = dirname(resolve(tomlFile));
  return JSON.stringify({
    ...config,
    main: join(folder, main),
    alias: { ...placed(alias, folder), "#deployment": resolve(run.deploymentFile) },
    vars: run.vars,
  });
}

/** Paths from the folder's place, as absolute ones. */
function placed(alias: Readonly<Record<string, string>>, folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(alias).map(([name, path]) => [name, resolve(folder, path)]),
  );
}
