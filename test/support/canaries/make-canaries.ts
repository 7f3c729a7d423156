/** A secret of the canary test. */
export interface Canary {
  /** Of the reference: `C017`. */
  readonly name: string;
  /** What its shape is called. */
  readonly shape: string;
  readonly value: string;
  /** Parts that stand nowhere else: whoever sees one of them has seen the secret. */
  readonly marks: readonly string[];
}

/** Gives a random word, and notes it as one that must not be seen. */
type Word = (length?: number) => string;
type Shape = (word: Word, random: () => number) => string;

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
const hexDigits = "0123456789abcdef";
const emoji = Array.from("😀🦀🌍🔑🧵🚲🍋🎲🪵🧊🦉🪁");

function pick(from: string | readonly string[], count: number, random: () => number): string {
  return Array.from({ length: count }, () => from[Math.floor(random() * from.length)]).join("");
}

const shapes: Readonly<Record<string, Shape>> = {
  plain: (word) => word(32),
  "eight characters": (word) => word(8),
  "with a prefix": (word) => `sk_live_${word(24)}`,
  "with quotes": (word) => `"${word()}"'${word()}\``,
  "with backslashes": (word) => `a\\${word()}\\n${word()}\\\\`,
  "like an escape": (word) => `\\u0041${word()}\\x41\\"`,
  "with percent signs": (word) => `%41%${word()}%2F%%zz`,
  "as a form's value": (word) => `a+b&c=${word()}&d=${word()}`,
  "of several lines": (word) =>
    `-----BEGIN KEY-----\n${word(40)}\r\n${word(40)}\n-----END KEY-----`,
  "with tabs and controls": (word) => `\t${word()}\b\f${word()}\v`,
  "with terminal colours": (word) => `\u001b[31m${word()}\u001b[0m`,
  "with JSON inside": (word) => `{"key":"${word()}","list":[1,"${word()}"]}`,
  "with markup": (word) => `<b>&amp;${word()}</b>&#39;${word()}`,
  "in Cyrillic": (word) => `пароль-${word()}-ключ`,
  "with combining marks": (word) => `e\u0301n\u0303${word()}\u200b€`,
  "of emoji": (word, random) => `${pick(emoji, 10, random)}${word(8)}`,
  "like base64": (_, random) => btoa(pick(letters, 31, random)),
  "like base64url": (_, random) => `${pick(letters, 20, random)}-_${pick(letters, 20, random)}`,
  "like hexadecimal": (_, random) => pick(hexDigits, 64, random),
  "of digits": (_, random) => `7${pick("123456789", 14, random)}`,
  "like a token of three parts": (word) => `eyJhbGciOiJFZERTQSJ9.${word(60)}.${word(40)}`,
  "as a URL": (word) => `postgres://app:${word()}@db.internal:5432/x?k=${word()}`,
  "like a reference": (word) => `\${C001}$${word()}\${`,
  "with spaces around": (word) => `  ${word()} ${word()}  `,
  long: (word) => word(1_200),
};

/** Canaries of every shape in turn, the same for the same seed. */
export function makeCanaries(count: number, seed: number): readonly Canary[] {
  const random = randomNumbers(seed);
  const kinds = Object.entries(shapes);
  return Array.from({ length: count }, (_, index) => {
    const [shape, make] = kinds[index % kinds.length] ?? ["plain", (word: Word) => word(32)];
    const words: string[] = [];
    const word: Word = (length = 14) => {
      words.push(pick(letters, length, random));
      return words.at(-1) ?? "";
    };
    const value = make(word, random);
    const name = `C${String(index).padStart(3, "0")}`;
    return { name, shape, value, marks: words.length === 0 ? [value] : words.flatMap(pieces) };
  });
}

/** Of a long word, pieces that are enough to tell it. */
function pieces(word: string): string[] {
  if (word.length <= 14) return [word];
  return Array.from({ length: Math.floor(word.length / 12) }, (_, at) =>
    word.slice(at * 12, at * 12 + 12),
  );
}

/** mulberry32: small, and the same everywhere. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
