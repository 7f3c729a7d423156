import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { readDeployment } from "../shared/config/read-deployment.ts";
import { readEnvFiles } from "./env-files.ts";
import { findingLine } from "./finding-line.ts";

/** What is wrong with a deployment file: `message` has a line for each finding, with its place. */
export class DeploymentFileError extends TypeError {
  override readonly name = "DeploymentFileError";
}

/**
 * The production deployment file as the JSON that the Worker carries, with the texts of the env
 * files that its servers name. Findings that do not hinder it go to `warn`, one line each.
 * @throws DeploymentFileError listing everything that is wrong with the file.
 */
export function buildDeployment(
  file: string,
  warn: (line: string) => void = (line) => console.error(line),
): string {
  const { deployment, findings } = readDeployment(readFileSync(file, "utf8"), {
    mode: "production",
  });
  const lines = findings.map((finding) => findingLine(file, finding));
  if (deployment === null) throw new DeploymentFileError(lines.join("\n"));
  for (const line of lines) warn(line);
  const problems: string[] = [];
  const withFiles = <Level extends typeof deployment | (typeof deployment.tenants)[number]>(
    level: Level,
  ): Level => {
    const read = readEnvFiles(dirname(file), level.mcp_servers);
    problems.push(...read.problems);
    return { ...level, env_files: { ...level.env_files, ...read.texts } };
  };
  const built = withFiles({ ...deployment, tenants: deployment.tenants.map(withFiles) });
  if (problems.length > 0) throw new DeploymentFileError(`${file}: ${problems.join(" ")}`);
  return JSON.stringify(built);
}
