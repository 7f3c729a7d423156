import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import {
  encodingNames,
  encodingOf,
  findEncoding,
  type EncodingName,
} from "../../../shared/run-contract/encoding.ts";
import { type ByteOrder, readUtf16 } from "./read-utf16.ts";

/** Reads and writes one stdio encoding. */
export interface Codec {
  /** The label as the config has it. */
  readonly label: string;
  /** Bytes below 0x80 are always ASCII characters, so that lines can be scanned undecoded. */
  readonly asciiSafe: boolean;
  /** Opens a reader of one process's stdout. */
  readonly openReader: () => ReadBytes;
  /** The bytes of a frame, which is ASCII. */
  readonly encode: (frame: string) => string | Buffer;
  /** @throws TypeError when the bytes are not of this encoding. */
  readonly decode: (line: Uint8Array) => string;
}

/** Makes bytes of stdout such that lines end at the byte 0x0a. */
export type ReadBytes = (chunk: Uint8Array) => Uint8Array;

/** @throws GatewayError CONFIG_INVALID for a label that no table row has. */
export function openCodec(label: string): Codec {
  const name = findEncoding(label);
  if (name === null) {
    throw new GatewayError(
      "CONFIG_INVALID",
      `The encoding '${label.slice(0, 64)}' is not one that Gangway reads.`,
      {
        hint: `Use one of ${encodingNames().join(", ")}; most servers speak utf-8, the default.`,
        details: { field: "encoding" },
      },
    );
  }
  const { asciiSafe, wide } = encodingOf(name);
  if (wide !== undefined) return wideCodec(label, wide);
  return {
    label,
    asciiSafe,
    openReader: () => (chunk) => chunk,
    encode: (frame) => frame,
    decode: decoderOf(name),
  };
}

/** UTF-16 is made UTF-8 as it comes, so that one way of framing serves all encodings. */
function wideCodec(label: string, order: ByteOrder): Codec {
  return {
    label,
    asciiSafe: true,
    openReader: () => readUtf16(order),
    // Without a byte order mark: who expects one takes its absence for the machine's own order.
    encode: (frame) => (order === "be" ? encodeUtf16(frame).swap16() : encodeUtf16(frame)),
    decode: decoderOf("utf-8"),
  };
}

function encodeUtf16(text: string): Buffer {
  return Buffer.from(text, "utf16le");
}

/** WHATWG maps `ascii` and `latin1` to windows-1252; servers that name them mean the real ones. */
function decoderOf(name: EncodingName): Codec["decode"] {
  const { whatwg } = encodingOf(name);
  if (whatwg !== null) {
    const decoder = new TextDecoder(whatwg, { fatal: true });
    return (line) => decoder.decode(line);
  }
  return name === "ascii" ? decodeAscii : decodeLatin1;
}

function decodeLatin1(line: Uint8Array): string {
  return Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString("latin1");
}

function decodeAscii(line: Uint8Array): string {
  if (line.some((byte) => byte > 0x7f)) throw new TypeError("a byte above 0x7f");
  return decodeLatin1(line);
}

/** One JSON-RPC message as a line of ASCII, which every ASCII-compatible encoding reads alike. */
export function encodeFrame(message: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${JSON.stringify(message).replace(/[\u0080-\uffff]/g, escape)}\n`;
}
