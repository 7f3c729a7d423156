import type { CST } from "yaml";

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

function isCollection(token: CST.Token | null | undefined): token is Collection {
  return (
    token?.type === "block-map" || token?.type === "block-seq" || token?.type === "flow-collection"
  );
}

/** Offset of the first collection nested deeper than `max`; walks level by level, without recursion. */
export function deeperThan(tokens: readonly CST.Token[], max: number): number | null {
  let level = tokens.flatMap((token) =>
    token.type === "document" && isCollection(token.value) ? [token.value] : [],
  );
  for (let depth = 0; depth <= max; depth += 1) {
    const next: Collection[] = [];
    for (const { items } of level) {
      for (const { key, value } of items) {
        if (isCollection(key)) next.push(key);
        if (isCollection(value)) next.push(value);
      }
    }
    level = next;
  }
  return level[0]?.offset ?? null;
}
