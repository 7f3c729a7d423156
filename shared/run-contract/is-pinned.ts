import { isExactVersion } from "../policy/npm-spec.ts";
import type { Launch } from "./contract.ts";

/** Whether a launch's version means one program for ever; a tag, or none, may move. */
export function isPinned({ runner, version }: Pick<Launch, "runner" | "version">): boolean {
  switch (runner) {
    case "npx":
      return version !== null && isExactVersion(version);
    case "uvx":
      return version !== null && version !== "latest";
    case "docker":
      return version?.startsWith("sha256:") ?? false;
  }
}
