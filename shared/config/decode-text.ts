import type { Diagnostics } from "./diagnostics.ts";
import type { ConfigLimits } from "./limits.ts";

/** Bytes to text: UTF-8 only; UTF-16 is told apart so that the message can name it. Null when refused. */
export function decodeBytes(bytes: Uint8Array, diagnostics: Diagnostics): string | null {
  const place = { pointer: "", span: null };
  const utf16 = utf16Name(bytes);
  if (utf16 !== null) {
    diagnostics.report("GW101", place, `The file is ${utf16}, not UTF-8.`);
    return null;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    diagnostics.report("GW101", place, "The file is not valid UTF-8.");
    return null;
  }
}

function utf16Name(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "UTF-16 (little endian)";
  if (first === 0xfe && second === 0xff) return "UTF-16 (big endian)";
  if (bytes.length < 4 || bytes.length % 2 !== 0) return null;
  if (first !== 0 && second === 0 && bytes[3] === 0) return "UTF-16 (little endian)";
  return first === 0 && second !== 0 && bytes[2] === 0 ? "UTF-16 (big endian)" : null;
}

/** False when the text is refused before any parser sees it. */
export function checkText(text: string, limits: ConfigLimits, diagnostics: Diagnostics): boolean {
  const at = (start: number) => ({
    pointer: "",
    span: { start, end: Math.min(start + 1, text.length) },
  });
  if (text.length > limits.maxChars) {
    diagnostics.report(
      "GW105",
      at(0),
      `The document is longer than ${limits.maxChars} characters.`,
    );
    return false;
  }
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    const everyOther = text[nul + 2] === "\0" || text[nul - 2] === "\0";
    diagnostics.report(
      "GW101",
      at(nul),
      everyOther
        ? "The text holds NUL characters; the file seems to be UTF-16."
        : "The text holds a NUL character.",
    );
    return false;
  }
  if (text.startsWith("\uFEFF"))
    diagnostics.report("GW108", at(0), "The file starts with a byte order mark.");
  return true;
}
