import type { TreeNode } from "../tree/node.ts";
import type { Dialect } from "./dialect.ts";
import { native } from "./native.ts";

/** Every dialect, in the order in which shapes are tried. */
export const dialects: readonly Dialect[] = [native];

export function dialectById(id: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.id === id);
}

/** The dialect whose file name this is. */
export function dialectByPath(path: string): Dialect | undefined {
  const wanted = `/${path.replaceAll("\\", "/")}`;
  return dialects.find(({ files }) => files.some((file) => wanted.endsWith(`/${file}`)));
}

export function dialectByShape(root: TreeNode): Dialect | undefined {
  return dialects.find((dialect) => dialect.matches(root));
}
