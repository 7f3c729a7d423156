import type { TreeNode } from "../tree/node.ts";
import type { Syntax } from "../tree/syntax-tree.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { continueDev } from "./continue.ts";
import { copilot } from "./copilot.ts";
import { crush } from "./crush.ts";
import { cursor } from "./cursor.ts";
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { goose } from "./goose.ts";
import { hermes } from "./hermes.ts";
import { kiro } from "./kiro.ts";
import { librechat } from "./librechat.ts";
import { bareMap, mcpServers } from "./mcp-servers.ts";
import { native } from "./native.ts";
import { kilo, opencode } from "./opencode.ts";
import { roo } from "./roo.ts";
import { vscode } from "./vscode.ts";
import { antigravity, windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

/** Every dialect, in the order in which shapes are tried: the more telling ones first. */
export const dialects: readonly Dialect[] = [
  librechat,
  continueDev,
  gemini,
  claudeDesktop,
  claudeCode,
  cursor,
  windsurf,
  antigravity,
  cline,
  roo,
  kiro,
  copilot,
  mcpServers,
  native,
  codex,
  hermes,
  zed,
  opencode,
  kilo,
  crush,
  goose,
  vscode,
  bareMap,
];

export function dialectById(id: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.id === id);
}

/** The dialect whose file name this is. */
export function dialectByPath(path: string): Dialect | undefined {
  const wanted = `/${path.replaceAll("\\", "/")}`;
  return dialects.find(({ files }) => files.some((file) => wanted.endsWith(`/${file}`)));
}

/** The first dialect that the document's shape fits; of Codex and Hermes the syntax decides. */
export function dialectByShape(root: TreeNode, syntax: Syntax | null): Dialect | undefined {
  return dialects.find(
    (dialect) =>
      dialect.matches(root) && (dialect !== codex || syntax === "toml" || syntax === null),
  );
}
