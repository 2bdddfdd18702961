import { base58 } from '@scure/base';

export interface Finding {
  /** What was found, never the secret itself. */
  readonly secret: string;
  /** The encoding in which it was found. */
  readonly form: string;
  readonly place: string;
}

interface Needle {
  readonly secret: string;
  readonly form: string;
  readonly bytes: Buffer;
}

/** A shorter secret would be found anywhere; short ones, such as codes, are searched for as words. */
const MIN_BYTES = 12;
/** Printing truncates long buffers. */
const PRINTED_BYTES = 16;

/** The prefix length by which needles are indexed; none is shorter. */
const START_BYTES = 4;

/**
 * Looks for secrets in whatever a service leaves behind, in every usual encoding of bytes: ten thousand of them in one
 * pass.
 */
export class SecretScanner {
  private readonly needles: Needle[] = [];
  private readonly byStart = new Map<number, Needle[]>();
  private readonly words: { secret: string; pattern: RegExp }[] = [];

  get size(): number {
    return new Set([...this.needles, ...this.words].map(({ secret }) => secret)).size;
  }

  /** @throws RangeError for a secret too short to be distinguished from chance */
  add(secret: string, value: Uint8Array | string): void {
    const bytes = Buffer.from(value as Uint8Array);
    if (bytes.length < MIN_BYTES) throw new RangeError(`${secret} is too short to be looked for.`);
    for (const [form, written] of formsOf(bytes)) {
      const needle = { secret, form, bytes: written };
      const start = written.readInt32LE();
      this.needles.push(needle);
      this.byStart.set(start, [...(this.byStart.get(start) ?? []), needle]);
    }
  }

  /** A short text, found only by itself: not within a number, a fraction, an id or a longer word. */
  addWord(secret: string, word: string): void {
    this.words.push({ secret, pattern: new RegExp(`(?<![\\w.:-])${word}(?![\\w-])`) });
  }

  /** Also searches bytes that PostgreSQL writes as `\x` and hexadecimal. */
  scan(place: string, content: Buffer | string): Finding[] {
    const given = Buffer.from(content as Buffer);
    const text = given.toString('latin1');
    const blobs = [...text.matchAll(/\\x([0-9a-f]{2,})/g)].map(([, hex]) => Buffer.from(hex!, 'hex'));
    // Long values may be broken into lines, as in PEM, and lists into columns.
    const unbroken = Buffer.from(text.replace(/\s|\\[nrt]/g, ''), 'latin1');
    const whole = Buffer.concat([given, unbroken, ...blobs].flatMap((part) => [part, Buffer.from('\n')]));
    const standing = this.standingIn(whole);
    return [
      ...this.needles
        .filter((needle) => standing.has(needle))
        .map(({ secret, form }): Finding => ({ secret, form, place })),
      ...this.words
        .filter(({ pattern }) => pattern.test(text))
        .map(({ secret }): Finding => ({ secret, form: 'word', place })),
    ];
  }

  private standingIn(bytes: Buffer): Set<Needle> {
    const found = new Set<Needle>();
    for (let at = 0; at <= bytes.length - START_BYTES; at++) {
      for (const needle of this.byStart.get(bytes.readInt32LE(at)) ?? []) {
        const end = at + needle.bytes.length;
        if (!found.has(needle) && bytes.subarray(at, end).equals(needle.bytes)) found.add(needle);
      }
    }
    return found;
  }
}

function formsOf(bytes: Buffer): [string, Buffer][] {
  const hex = bytes.toString('hex');
  const decimals = [...bytes];
  const printed = hex.slice(0, 2 * PRINTED_BYTES).match(/../g)!;
  const forms: [string, string | Buffer][] = [
    ['raw', bytes],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ['printed bytes', printed.join(' ')],
    ['decimal list', decimals.join(',')],
    ['base58', base58.encode(bytes)],
  ];
  for (const encoding of ['base64', 'base64url'] as const) {
    // Within a longer base64 text its bytes may begin at any of three offsets.
    for (const shift of [0, 1, 2]) {
      const shifted = Buffer.concat([Buffer.alloc(shift), bytes])
        .toString(encoding)
        .replace(/=+$/, '');
      const wholeGroups = Math.floor((shift + bytes.length) / 3) * 4;
      forms.push([encoding, shifted.slice(shift === 0 ? 0 : 4, wholeGroups)]);
    }
  }
  return forms.map(([form, needle]) => [form, Buffer.from(needle as string)]);
}
