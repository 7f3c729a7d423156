const roundCount = 64;
const blockBytes = 64;

/**
 * SHA-256 (FIPS 180-4) of the text's UTF-8 form, as 64 hex digits. Synchronous, so that reports
 * stay pure functions: Web Crypto's digest answers with a promise. Not for secrets.
 */
export function sha256(text: string): string {
  const message = padded(new TextEncoder().encode(text));
  const state = new DataView(initialState.buffer.slice(0));
  for (let at = 0; at < message.byteLength; at += blockBytes) compress(state, message, at);
  let digest = "";
  for (let word = 0; word < 8; word += 1) digest += hex(state.getUint32(word * 4));
  return digest;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, "0");
}

/** The message, a one bit, zeros, and the length in bits as 64-bit number (§5.1.1). */
function padded(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / blockBytes) * blockBytes;
  const view = new DataView(new ArrayBuffer(length));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(length - 4, bytes.length * 8);
  return view;
}

/** One block into the state (§6.2.2). */
function compress(state: DataView, message: DataView, offset: number): void {
  const schedule = expand(message, offset);
  const word = (index: number): number => state.getUint32(index * 4);
  let [a, b, c, d] = [word(0), word(1), word(2), word(3)];
  let [e, f, g, h] = [word(4), word(5), word(6), word(7)];
  for (let round = 0; round < roundCount; round += 1) {
    const added = roundConstants.getUint32(round * 4) + schedule.getUint32(round * 4);
    const first = (h + bigSigma1(e) + ((e & f) ^ (~e & g)) + added) | 0;
    const second = bigSigma0(a) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries())
    state.setUint32(index * 4, word(index) + value);
}

/** The message schedule of a block (§6.2.2, step 1). */
function expand(message: DataView, offset: number): DataView {
  const schedule = new DataView(new ArrayBuffer(roundCount * 4));
  const word = (index: number): number => schedule.getUint32(index * 4);
  for (let at = 0; at < 16; at += 1) schedule.setUint32(at * 4, message.getUint32(offset + at * 4));
  for (let at = 16; at < roundCount; at += 1)
    schedule.setUint32(
      at * 4,
      word(at - 16) + smallSigma0(word(at - 15)) + word(at - 7) + smallSigma1(word(at - 2)),
    );
  return schedule;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function bigSigma0(word: number): number {
  return rotate(word, 2) ^ rotate(word, 13) ^ rotate(word, 22);
}

function bigSigma1(word: number): number {
  return rotate(word, 6) ^ rotate(word, 11) ^ rotate(word, 25);
}

function smallSigma0(word: number): number {
  return rotate(word, 7) ^ rotate(word, 18) ^ (word >>> 3);
}

function smallSigma1(word: number): number {
  return rotate(word, 17) ^ rotate(word, 19) ^ (word >>> 10);
}

/** The first `count` primes under the given root: 32 bits of the fraction (§4.2.2, §5.3.3). */
function rootFractions(count: number, root: (prime: number) => number): DataView<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(count * 4));
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  for (const [index, prime] of primes.entries())
    view.setUint32(index * 4, Math.floor((root(prime) % 1) * 2 ** 32));
  return view;
}

const roundConstants = rootFractions(roundCount, Math.cbrt);
const initialState = rootFractions(8, Math.sqrt);
