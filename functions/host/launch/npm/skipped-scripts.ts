import { join } from "node:path";
import * as z from "zod";
import type { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { readInstalledText } from "../read-installed.ts";

/** npm's own record of what it installed, by path: `node_modules/a/node_modules/@b/c`. */
const recordSchema = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ hasInstallScript: z.boolean().optional() })),
});

/** Names in an error. */
const most = 10;

/**
 * The error of a start that failed, with the packages whose installation scripts were not run: it
 * may be that the server needs what they make.
 */
export async function tellSkippedScripts(
  error: GatewayError,
  entry: string,
): Promise<GatewayError> {
  const skipped = await skippedScripts(entry);
  if (error.code !== "PROCESS_START_FAILED" || skipped.length === 0) return error;
  const names = skipped.slice(0, most);
  const told = `${names.join(", ")}${skipped.length > most ? ", …" : ""}`;
  return error.with({
    hint: `${error.hint} These packages have scripts for their installation, which were not run: ${told}. If the server needs what they make, set \`allow_scripts: true\` in the tenant's policy.`,
    details: { ...error.details, skipped_scripts: names },
  });
}

async function skippedScripts(entry: string): Promise<string[]> {
  const record = recordSchema.safeParse(await readRecord(entry));
  if (!record.success) return [];
  const paths = Object.entries(record.data.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  return [...new Set(paths)].sort((a, b) => (a < b ? -1 : 1));
}

async function readRecord(entry: string): Promise<unknown> {
  try {
    const path = join(entry, "node_modules", ".package-lock.json");
    return JSON.parse((await readInstalledText(entry, path)) ?? "");
  } catch {
    return undefined; // An error tells no less for want of it.
  }
}
