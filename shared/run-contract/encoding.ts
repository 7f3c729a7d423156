/**
 * The text encodings of stdio servers, under the names that configs use: Python's codec names (a
 * config's `encoding` comes from Python clients) and WHATWG labels. All but UTF-16 are
 * ASCII-compatible, so that ASCII JSON is read by every one of them.
 */
interface Encoding {
  /** The label of TextDecoder; null where WHATWG's table maps the name to another encoding. */
  readonly whatwg: string | null;
  /** No character's second byte looks like ASCII: bytes can be scanned without decoding. */
  readonly asciiSafe: boolean;
  readonly aliases: readonly string[];
  /** Two bytes a unit, in this order; `bom` = as a byte order mark says, else little-endian. */
  readonly wide?: "le" | "be" | "bom";
}

const table = {
  "utf-8": {
    whatwg: "utf-8",
    asciiSafe: true,
    aliases: ["utf8", "u8", "utf", "utf-8-sig", "utf8-sig", "cp65001", "unicode-1-1-utf-8"],
  },
  ascii: { whatwg: null, asciiSafe: true, aliases: ["us-ascii", "646", "ansi-x3.4-1968"] },
  "latin-1": {
    whatwg: null,
    asciiSafe: true,
    aliases: ["latin1", "latin", "l1", "iso-8859-1", "iso8859-1", "8859", "cp819"],
  },
  "iso-8859-2": { whatwg: "iso-8859-2", asciiSafe: true, aliases: ["iso8859-2", "latin2", "l2"] },
  "iso-8859-3": { whatwg: "iso-8859-3", asciiSafe: true, aliases: ["iso8859-3", "latin3", "l3"] },
  "iso-8859-4": { whatwg: "iso-8859-4", asciiSafe: true, aliases: ["iso8859-4", "latin4", "l4"] },
  "iso-8859-5": { whatwg: "iso-8859-5", asciiSafe: true, aliases: ["iso8859-5", "cyrillic"] },
  "iso-8859-6": { whatwg: "iso-8859-6", asciiSafe: true, aliases: ["iso8859-6", "arabic"] },
  "iso-8859-7": { whatwg: "iso-8859-7", asciiSafe: true, aliases: ["iso8859-7", "greek"] },
  "iso-8859-8": { whatwg: "iso-8859-8", asciiSafe: true, aliases: ["iso8859-8", "hebrew"] },
  "iso-8859-10": {
    whatwg: "iso-8859-10",
    asciiSafe: true,
    aliases: ["iso8859-10", "latin6", "l6"],
  },
  "iso-8859-13": {
    whatwg: "iso-8859-13",
    asciiSafe: true,
    aliases: ["iso8859-13", "latin7", "l7"],
  },
  "iso-8859-14": {
    whatwg: "iso-8859-14",
    asciiSafe: true,
    aliases: ["iso8859-14", "latin8", "l8"],
  },
  "iso-8859-15": {
    whatwg: "iso-8859-15",
    asciiSafe: true,
    aliases: ["iso8859-15", "latin9", "l9"],
  },
  "iso-8859-16": {
    whatwg: "iso-8859-16",
    asciiSafe: true,
    aliases: ["iso8859-16", "latin10", "l10"],
  },
  "windows-874": { whatwg: "windows-874", asciiSafe: true, aliases: ["cp874", "tis-620"] },
  "windows-1250": { whatwg: "windows-1250", asciiSafe: true, aliases: ["cp1250"] },
  "windows-1251": { whatwg: "windows-1251", asciiSafe: true, aliases: ["cp1251"] },
  "windows-1252": { whatwg: "windows-1252", asciiSafe: true, aliases: ["cp1252"] },
  "windows-1253": { whatwg: "windows-1253", asciiSafe: true, aliases: ["cp1253"] },
  "windows-1254": {
    whatwg: "windows-1254",
    asciiSafe: true,
    aliases: ["cp1254", "iso8859-9", "latin5", "l5", "iso-8859-9"],
  },
  "windows-1255": { whatwg: "windows-1255", asciiSafe: true, aliases: ["cp1255"] },
  "windows-1256": { whatwg: "windows-1256", asciiSafe: true, aliases: ["cp1256"] },
  "windows-1257": { whatwg: "windows-1257", asciiSafe: true, aliases: ["cp1257"] },
  "windows-1258": { whatwg: "windows-1258", asciiSafe: true, aliases: ["cp1258"] },
  "koi8-r": { whatwg: "koi8-r", asciiSafe: true, aliases: ["koi8r"] },
  "koi8-u": { whatwg: "koi8-u", asciiSafe: true, aliases: ["koi8u"] },
  cp866: { whatwg: "ibm866", asciiSafe: true, aliases: ["ibm866", "866"] },
  "mac-roman": { whatwg: "macintosh", asciiSafe: true, aliases: ["macroman", "macintosh"] },
  "mac-cyrillic": {
    whatwg: "x-mac-cyrillic",
    asciiSafe: true,
    aliases: ["maccyrillic", "x-mac-cyrillic"],
  },
  "euc-jp": { whatwg: "euc-jp", asciiSafe: true, aliases: ["eucjp", "ujis", "u-jis"] },
  "euc-kr": {
    whatwg: "euc-kr",
    asciiSafe: false,
    aliases: ["euckr", "korean", "cp949", "949", "ms949", "uhc", "ksc5601"],
  },
  shift_jis: {
    whatwg: "shift_jis",
    asciiSafe: false,
    aliases: [
      "shift-jis",
      "shiftjis",
      "sjis",
      "s-jis",
      "cp932",
      "932",
      "ms932",
      "mskanji",
      "windows-31j",
    ],
  },
  gbk: {
    whatwg: "gbk",
    asciiSafe: false,
    aliases: ["cp936", "936", "ms936", "gb2312", "euccn", "chinese"],
  },
  gb18030: { whatwg: "gb18030", asciiSafe: false, aliases: ["gb18030-2000"] },
  big5: {
    whatwg: "big5",
    asciiSafe: false,
    aliases: ["big5-tw", "csbig5", "cp950", "950", "ms950", "big5-hkscs", "big5hkscs"],
  },
  "utf-16": { whatwg: "utf-16le", asciiSafe: true, wide: "bom", aliases: ["utf16", "u16"] },
  "utf-16-le": {
    whatwg: "utf-16le",
    asciiSafe: true,
    wide: "le",
    aliases: ["utf-16le", "utf16le", "unicodelittleunmarked"],
  },
  "utf-16-be": {
    whatwg: "utf-16be",
    asciiSafe: true,
    wide: "be",
    aliases: ["utf-16be", "utf16be", "unicodebigunmarked"],
  },
} as const satisfies Record<string, Encoding>;

export type EncodingName = keyof typeof table;

const nameByAlias = new Map<string, EncodingName>();
for (const name of encodingNames()) {
  nameByAlias.set(normalise(name), name);
  for (const alias of table[name].aliases) nameByAlias.set(normalise(alias), name);
}

/** Every encoding's own name, for messages and documentation. */
export function encodingNames(): readonly EncodingName[] {
  const isName = (name: string): name is EncodingName => name in table;
  return Object.keys(table).filter(isName);
}

/** The encoding that a label means, or null; case, `_`, `-` and blanks count as Python counts them. */
export function findEncoding(label: string): EncodingName | null {
  return nameByAlias.get(normalise(label)) ?? null;
}

/** How an encoding's bytes are read. */
export function encodingOf(name: EncodingName): Omit<Encoding, "aliases"> {
  return table[name];
}

function normalise(label: string): string {
  return label
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "-");
}
