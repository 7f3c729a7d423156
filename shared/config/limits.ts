/** What the validator refuses to read, so that its time and memory stay bounded. */
export interface ConfigLimits {
  /** Characters of the text. */
  readonly maxChars: number;
  /**
   * Words and signs of the text, in YAML its blanks and line ends too: a server of ten fields has
   * about 75. What is nothing but signs costs its parser seconds, and is refused before.
   */
  readonly maxTokens: number;
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

/** For files that are checked: 5,000 servers with room to spare, and nothing that takes seconds. */
export const fileLimits: ConfigLimits = {
  maxChars: 4 * 1024 * 1024,
  maxTokens: 400_000,
  maxDepth: 64,
  maxNodes: 100_000,
  maxAliases: 100,
  maxStringChars: 65_536,
  maxKeyChars: 1024,
  maxServers: 5000,
  maxArgs: 100,
};

/** For configs that a request sends to be used. */
export const requestLimits: ConfigLimits = {
  maxChars: 1024 * 1024,
  maxTokens: 100_000,
  maxDepth: 32,
  maxNodes: 20_000,
  maxAliases: 100,
  maxStringChars: 65_536,
  maxKeyChars: 1024,
  maxServers: 100,
  maxArgs: 100,
};
