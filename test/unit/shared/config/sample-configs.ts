import { existsSync, readFileSync } from "node:fs";

export interface SampleConfig {
  readonly file: string;
  readonly kind: string;
  /** The name under which its repository has it. */
  readonly path: string;
  readonly servers: number;
  readonly text: string;
}

/**
 * Real public configs in a folder beside the repository, whose own README tells of them; none where
 * they are not there. `folder` ends with a slash.
 */
export function readSampleConfigs(folder: string): readonly SampleConfig[] {
  if (!existsSync(folder)) return [];
  const lines = readFileSync(`${folder}configs.tsv`, "utf8").trim().split("\n").slice(1);
  return lines.map((line) => {
    const [file = "", kind = "", path = "", , servers = "0"] = line.split("\t");
    const text = readFileSync(`${folder}configs/${file}`, "utf8");
    return { file, kind, path, servers: Number(servers), text };
  });
}
