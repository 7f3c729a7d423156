import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { readDeployment } from "../shared/config/read-deployment.ts";
import { readEnvFiles } from "./env-files.ts";
import { findingLine } from "./finding-line.ts";

/**
 * The production deployment file as the JSON that the Worker carries, with the texts of the env
 * files that its servers name.
 * @throws TypeError listing everything that is wrong with the file.
 */
export function buildDeployment(file: string): string {
  const { deployment, findings } = readDeployment(readFileSync(file, "utf8"), {
    mode: "production",
  });
  if (deployment === null) {
    throw new TypeError(findings.map((finding) => findingLine(file, finding)).join("\n"));
  }
  const problems: string[] = [];
  const withFiles = <Level extends typeof deployment | (typeof deployment.tenants)[number]>(
    level: Level,
  ): Level => {
    const read = readEnvFiles(dirname(file), level.mcp_servers);
    problems.push(...read.problems);
    return { ...level, env_files: { ...level.env_files, ...read.texts } };
  };
  const built = withFiles({ ...deployment, tenants: deployment.tenants.map(withFiles) });
  if (problems.length > 0) throw new TypeError(`${file}: ${problems.join(" ")}`);
  return JSON.stringify(built);
}
