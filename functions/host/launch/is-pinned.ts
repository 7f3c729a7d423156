import type { Launch } from "../../../shared/run-contract/contract.ts";
import { isExact } from "./npm/package-spec.ts";

/** Whether a launch's version means one program for ever; a tag, or none, may move. */
export function isPinned({ runner, version }: Pick<Launch, "runner" | "version">): boolean {
  switch (runner) {
    case "npx":
      return isExact(version);
    case "uvx":
      return version !== null && version !== "latest";
    case "docker":
      return version?.startsWith("sha256:") ?? false;
  }
}
