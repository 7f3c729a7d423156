import { child, text, type MapNode, type TreeNode } from "../tree/node.ts";

/** The root has a map under `key`. */
export function hasMap(root: TreeNode, key: string): boolean {
  return child(root, key)?.kind === "map";
}

/** Some member of the map under `key` passes `test`. */
export function someEntry(
  root: TreeNode,
  key: string,
  test: (entry: TreeNode) => boolean,
): boolean {
  const section = child(root, key);
  return section?.kind === "map" && section.entries.some(({ value }) => test(value));
}

/** The entry says what to start or where to go. */
export function isServerEntry(entry: TreeNode): boolean {
  return ["command", "url", "serverUrl", "httpUrl"].some((key) => child(entry, key) !== undefined);
}

export function typeIs(entry: TreeNode, ...types: readonly string[]): boolean {
  const type = text(child(entry, "type"));
  return type !== undefined && types.includes(type);
}

export function has(entry: MapNode, key: string): boolean {
  return child(entry, key) !== undefined;
}
