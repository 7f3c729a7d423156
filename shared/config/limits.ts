/** What the validator refuses to read, so that its time and memory stay bounded. */
export interface ConfigLimits {
  /** Characters of the text. */
  readonly maxChars: number;
  /** Levels of nesting. */
  readonly maxDepth: number;
  /** Nodes of the tree, aliases expanded. */
  readonly maxNodes: number;
  /** Aliases (`*name`) in one YAML document. */
  readonly maxAliases: number;
  readonly maxStringChars: number;
  readonly maxKeyChars: number;
  readonly maxServers: number;
  readonly maxArgs: number;
}

/** For files that are checked. */
export const fileLimits: ConfigLimits = {
  maxChars: 8 * 1024 * 1024,
  maxDepth: 64,
  maxNodes: 500_000,
  maxAliases: 100,
  maxStringChars: 65_536,
  maxKeyChars: 1024,
  maxServers: 20_000,
  maxArgs: 100,
};

/** For configs that a request sends to be used. */
export const requestLimits: ConfigLimits = {
  maxChars: 1024 * 1024,
  maxDepth: 32,
  maxNodes: 20_000,
  maxAliases: 100,
  maxStringChars: 65_536,
  maxKeyChars: 1024,
  maxServers: 100,
  maxArgs: 100,
};
