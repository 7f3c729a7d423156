import * as fc from "fast-check";

/** How programs spell a text, written apart from the redactor's own tables. */
export const encoders: Readonly<Record<string, (value: string) => string>> = {
  "as it is": (value) => value,
  "in base64": (value) => base64(value),
  "in base64 after one byte": (value) => base64(`:${value}`),
  "in base64 after two bytes": (value) => base64(`a:${value}`),
  "in base64 inside longer data": (value) => base64(`{"user":"someone","token":"${value}"}`),
  "in base64url": (value) => url(base64(value)),
  "in base64url after one byte": (value) => url(base64(`:${value}~`)),
  "in base64url after two bytes": (value) => url(base64(`??${value}??`)),
  "in hexadecimal": (value) => hex(value),
  "in upper-case hexadecimal": (value) => hex(value).toUpperCase(),
  "in base64 in lines": (value) => wrap(base64(`A=b T=${value}\n`), 16),
  "in base64 in lines that end in CRLF": (value) => wrap(base64(`A=${value}`), 11, "\r\n"),
  "in base64 in indented lines": (value) => wrap(base64(value), 5, "\n    "),
  "in base64 in lines, as JSON": (value) => wrap(base64(`??${value}??`), 9, String.raw`\n`),
  "in base64url in a line for each digit": (value) => wrap(url(base64(value)), 1),
  "in hexadecimal in lines": (value) => wrap(hex(`=${value}`), 16),
  "percent-encoded": (value) => encodeURIComponent(value),
  "percent-encoded in lower case": (value) => lowerPercent(encodeURIComponent(value)),
  "percent-encoded as a URL": (value) => encodeURI(value),
  "percent-encoded as a form": (value) => new URLSearchParams({ a: value }).toString().slice(2),
  "percent-encoded to the last byte": (value) => hex(value).replaceAll(/../g, "%$&"),
  "percent-encoded twice": (value) => encodeURIComponent(encodeURIComponent(value)),
  "as JSON": (value) => inner(JSON.stringify(value)),
  "as JSON with escaped slashes": (value) =>
    inner(JSON.stringify(value)).replaceAll("/", String.raw`\/`),
  "as ASCII JSON": (value) => asciiJson(value),
  "as ASCII JSON in upper case": (value) =>
    asciiJson(value).replaceAll(/\\u..../g, (escape) => `\\u${escape.slice(2).toUpperCase()}`),
  "as JSON in JSON": (value) => inner(JSON.stringify(inner(JSON.stringify(value)))),
  "as ASCII JSON in JSON": (value) => inner(JSON.stringify(asciiJson(value))),
  "escaped by \\u throughout": (value) => unicode(value),
  "escaped by \\u throughout in upper case": (value) =>
    unicode(value).replaceAll(/[a-f]/g, (digit) => digit.toUpperCase()),
};

/** Values of at least 8 characters, awkward on purpose. */
export const canary: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{8,48}$/),
  fc.string({ unit: "grapheme", minLength: 8, maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      "%",
      "\\",
      '"',
      "/",
      "+",
      " ",
      "\n",
      "=",
      "&",
      "ä",
      "a",
      "4",
      "1",
      "€",
      "😀",
    ),
    minLength: 8,
    maxLength: 24,
  }),
);

function base64(value: string): string {
  const binary = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte));
  return btoa(binary.join(""));
}

function url(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function hex(value: string): string {
  const bytes = Array.from(new TextEncoder().encode(value));
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function wrap(text: string, width: number, end = "\n"): string {
  return text.match(new RegExp(`.{1,${width}}`, "g"))?.join(end) ?? "";
}

function lowerPercent(text: string): string {
  return text.replaceAll(/%../g, (escape) => escape.toLowerCase());
}

function inner(json: string): string {
  return json.slice(1, -1);
}

function asciiJson(value: string): string {
  return inner(JSON.stringify(value)).replaceAll(/[\u0080-\uffff]/g, (unit) => unicode(unit));
}

function unicode(value: string): string {
  return value
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
