const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENS_OBJECT = 0x7b;
const CLOSES_OBJECT = 0x7d;
const OPENS_LIST = 0x5b;
const CLOSES_LIST = 0x5d;
/** More than a body may have; what is deeper is refused for that. */
const DEEPEST = 64;

/**
 * Whether an object of a JSON text names a key twice. Parsers disagree on which of the two counts (RFC 8259 §4), so what
 * a proxy or a colleague reads need not be what the service does. Of a text that is no JSON the answer says nothing.
 */
export function hasRepeatedKey(json: Buffer): boolean {
  /** The keys of each container that is open; null of a list. */
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
          if (keys.has(key)) return true;
          keys.add(key);
        }
        isKeyNext = false;
        at = end;
        break;
      }
    }
  }
  return false;
}

/** Where the closing quote stands, or the end of what there is. */
function endOfText(json: Buffer, quote: number): number {
  for (let at = quote + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++;
    else if (json[at] === QUOTE) return at;
  }
  return json.length;
}

/** The text between two quotes, with its escapes read: `"a"` and `"\u0061"` are one key. */
function textOf(json: Buffer, quote: number, end: number): string {
  const text = json.toString('utf8', quote + 1, end);
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
