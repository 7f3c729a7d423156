import type { Launch } from "../../../../shared/run-contract/contract.ts";

type PythonPackage = Pick<Launch, "package" | "version" | "extras">;

/** The package as uvx takes it: `name[extra]==1.2.3`, `name@latest`, `name`. */
export function pythonSpecText(launch: PythonPackage): string {
  const { version } = launch;
  if (version === null) return withExtras(launch);
  return `${withExtras(launch)}${version === "latest" ? "@" : "=="}${version}`;
}

/** The package in whatever version: `name[extra]`. */
export function withExtras({ package: name, extras = [] }: PythonPackage): string {
  return extras.length === 0 ? name : `${name}[${extras.join(",")}]`;
}
