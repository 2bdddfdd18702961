import { isUtf8 } from 'node:buffer';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENS_OBJECT = 0x7b;
const CLOSES_OBJECT = 0x7d;
const OPENS_LIST = 0x5b;
const CLOSES_LIST = 0x5d;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
/** Deeper than a body may be nested; such a body is refused anyway. */
const DEEPEST = 64;
/** Numbers of at most this many characters are exact, unless they have an exponent. */
const ALWAYS_EXACT = 15;

/** Why parsers would read different values from a JSON text. */
export type Ambiguity = 'other encoding' | 'repeated key' | 'inexact number';

/**
 * Detects bytes that are not UTF-8, a duplicate key in an object, or a number that JavaScript would not read exactly (RFC
 * 8259 §8.1, §4 and §6). Parsers disagree on what stands for such bytes, which of two keys wins and how many digits they
 * keep, so a proxy may read other values than the service does, and two different texts would be stored as one. For a
 * text that is not valid JSON the result means nothing.
 */
export function ambiguityOf(json: Buffer): Ambiguity | null {
  if (!isUtf8(json)) return 'other encoding';
  /** The keys of each open container; null for a list. */
  const open: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < json.length && open.length <= DEEPEST; at++) {
    switch (json[at]!) {
      case OPENS_OBJECT:
        open.push(new Set());
        isKeyNext = true;
        break;
      case OPENS_LIST:
        open.push(null);
        isKeyNext = false;
        break;
      case CLOSES_OBJECT:
      case CLOSES_LIST:
        open.pop();
        isKeyNext = false;
        break;
      case COMMA:
        isKeyNext = open.at(-1) instanceof Set;
        break;
      case QUOTE: {
        const end = endOfText(json, at);
        const keys = open.at(-1);
        if (isKeyNext && keys) {
          const key = textOf(json, at, end);
          if (keys.has(key)) return 'repeated key';
          keys.add(key);
        }
        isKeyNext = false;
        at = end;
        break;
      }
      default:
        if (isOfNumber(json[at]!)) {
          const end = endOfNumber(json, at);
          if (!isExact(json, at, end)) return 'inexact number';
          at = end - 1;
        }
    }
  }
  return null;
}

const isOfNumber = (byte: number): boolean => (byte >= ZERO && byte <= NINE) || byte === MINUS;

/** The index after the last character of the number. */
function endOfNumber(json: Buffer, begin: number): number {
  let at = begin + 1;
  while (at < json.length && NUMBER_BYTES.has(json[at]!)) at++;
  return at;
}

const NUMBER_BYTES: ReadonlySet<number> = new Set(Buffer.from('0123456789+-.eE'));
const HAS_EXPONENT = /e/i;

/** A whole number must keep its digits; one with a fraction or an exponent must stay finite, and may be rounded. */
function isExact(json: Buffer, begin: number, end: number): boolean {
  const text = json.toString('latin1', begin, end);
  if (text.length <= ALWAYS_EXACT && !HAS_EXPONENT.test(text)) return true;
  const value = Number(text);
  if (Number.isNaN(value)) return true;
  if (!Number.isFinite(value)) return false;
  return !/^-?\d+$/.test(text) || BigInt(value) === BigInt(text);
}

/** The index of the closing quote, or the end of the text. */
function endOfText(json: Buffer, quote: number): number {
  for (let at = quote + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++;
    else if (json[at] === QUOTE) return at;
  }
  return json.length;
}

/** The text between two quotes, unescaped: `"a"` and `"\u0061"` are the same key. */
function textOf(json: Buffer, quote: number, end: number): string {
  const text = json.toString('utf8', quote + 1, end);
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
