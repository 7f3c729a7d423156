const patterns: readonly RegExp[] = [
  /^<[^<>]{1,80}>$/,
  /<(?:your|my|insert|enter|the|personal|api|path|token|service)[^<>]{0,60}>/i,
  /<[^\w<>]{0,8}[A-Z][A-Z0-9_ -]{2,60}[^\w<>]{0,8}>/,
  /\{[\w-]{1,40}(?: ?\| ?[\w-]{1,40}){1,8}\}/,
  /\b(?:your|my)[-_ ](?:[a-z0-9]+[-_ ]){0,6}(?:key|token|secret|password|id|url|host|name|account|here|email|user|org|domain)\b/i,
  /^\[?redacted\b/i,
  /\[(?:redacted|your|insert)[^\]]{0,60}\]/i,
  /^(?:change[-_ ]?me|replace[-_ ]?(?:me|with)?.{0,40}|insert[-_ ].{0,40}|todo|tbd|fixme|placeholder|dummy|none|null|undefined|test|example|sample|secret|token|password|key|xxx+|\.{3,}|\*{3,}|-+)$/i,
  /(?:\.{3}|…|\*{3,})$/,
  /(?:^|[-_.=])[xX]{4,}(?:[-_.]|$)/,
  /^[xX*.\-_]{6,}$/,
  /(?:^|[=,:])(?:\/path\/to|\/full\/path\/to|\/abs\/path|C:\\path\\to)\b/i,
  /(?:_|-|\b)(?:here|placeholder)$/i,
  /\bexample[-_ ]?(?:key|token|secret|password)\b/i,
];

/** Some pattern can only fit where this fits: most texts are settled by one look. */
const hint =
  /your|my|[<[*…|]|redact|change|replace|insert|todo|tbd|fixme|placeholder|dummy|none|null|undefined|test|example|sample|secret|token|password|key|xxx|\.{3}|path|here$|^[xX*.\-_]+$/i;

/** A text that stands for a value which the author meant to fill in. */
export function isPlaceholder(value: string): boolean {
  if (value.length > 200 || !hint.test(value)) return false;
  const core = value.replace(/^(?:Bearer|Basic|Token)\s+/i, "");
  return patterns.some((pattern) => pattern.test(core));
}
