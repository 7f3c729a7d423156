import * as z from "zod";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { refuseInterpreter } from "../../../../shared/policy/bin-name.ts";
import { launchNotAllowed } from "../check-launch.ts";

/** What an installed package says of itself; anything else in the file is none of our business. */
export const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * The program of a package: `bin` by name if given, else the only one, else the one named as the
 * unscoped package (npx's own rule).
 * @returns its path inside the package, as the package declares it.
 * @throws GatewayError LAUNCH_NOT_ALLOWED for a name that the package does not declare or that is
 * an interpreter's, PROCESS_START_FAILED when the package leaves the choice open.
 */
export function chooseBin(manifest: Manifest, bin: string | null): string {
  const declared = declaredBins(manifest);
  const name = bin ?? defaultBin(manifest, declared);
  const interpreter = refuseInterpreter(name);
  if (interpreter !== null) throw launchNotAllowed(interpreter);
  const path = declared.get(name);
  if (path !== undefined) return path;
  const names = [...declared.keys()].join(", ") || "none";
  throw launchNotAllowed({
    reason: "bin-not-declared",
    message: `${manifest.name} declares no program '${name}'; it declares ${names}.`,
    hint: "Name a program that the package itself declares in `bin`, or none.",
  });
}

function declaredBins(manifest: Manifest): Map<string, string> {
  if (typeof manifest.bin === "string") return new Map([[unscoped(manifest.name), manifest.bin]]);
  return new Map(Object.entries(manifest.bin ?? {}));
}

function defaultBin(manifest: Manifest, declared: ReadonlyMap<string, string>): string {
  const [first, ...more] = new Set(declared.values());
  const [name] = declared.keys();
  if (first !== undefined && more.length === 0 && name !== undefined) return name;
  const namesake = unscoped(manifest.name);
  if (declared.has(namesake)) return namesake;
  const names = [...declared.keys()].join(", ");
  const trouble =
    names === ""
      ? "declares no program"
      : `declares several programs (${names}) and none has its name`;
  throw new GatewayError("PROCESS_START_FAILED", `The package ${manifest.name} ${trouble}.`, {
    hint:
      names === ""
        ? "Use a package that holds an MCP server."
        : `Write npx -y -p ${manifest.name} PROGRAM with one of: ${names}.`,
    details: { declared: [...declared.keys()] },
  });
}

function unscoped(packageName: string): string {
  return packageName.replace(/^@[^/]+\//, "");
}
