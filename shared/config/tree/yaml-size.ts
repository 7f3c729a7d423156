import type { CST } from "yaml";
import type { ConfigLimits } from "../limits.ts";

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

function isCollection(token: CST.Token | null | undefined): token is Collection {
  return (
    token?.type === "block-map" || token?.type === "block-seq" || token?.type === "flow-collection"
  );
}

export interface TooLarge {
  readonly what: string;
  readonly offset: number;
}

/** What makes a document too large to compose; walks level by level, without recursion. */
export function tooLarge(
  tokens: readonly CST.Token[],
  { maxDepth, maxNodes }: Pick<ConfigLimits, "maxDepth" | "maxNodes">,
): TooLarge | null {
  let level = tokens.flatMap((token) =>
    token.type === "document" && isCollection(token.value) ? [token.value] : [],
  );
  let nodes = 0;
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const next: Collection[] = [];
    for (const { items, offset } of level) {
      nodes += items.length;
      if (nodes > maxNodes) return { what: `larger than ${maxNodes} values`, offset };
      for (const { key, value } of items) {
        if (isCollection(key)) next.push(key);
        if (isCollection(value)) next.push(value);
      }
    }
    level = next;
  }
  const [deep] = level;
  return deep === undefined
    ? null
    : { what: `nested deeper than ${maxDepth} levels`, offset: deep.offset };
}
