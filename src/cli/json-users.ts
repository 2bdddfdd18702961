/** Characters; more than any user needs. What precedes the users in an export counts as well. */
const MAX_TEXT = 16 * 1024 * 1024;
const LISTS = new Set(['users', 'Users']);

/**
 * Streams the objects of a JSON text, with one in memory at a time: those of a list, those of the list `users` of an
 * object, or concatenated objects.
 *
 * @throws SyntaxError for anything else
 */
export async function* jsonObjects(chunks: AsyncIterable<string>): AsyncGenerator<unknown> {
  const scanner = new Scanner();
  for await (const chunk of chunks) {
    for (const text of scanner.take(chunk)) yield JSON.parse(text) as unknown;
  }
  scanner.end();
}

/** Tracks brackets and strings, which is enough to find where an object ends. */
class Scanner {
  private text = '';
  private depth = 0;
  /** Nesting depth of the wanted objects, detected while reading. */
  private level = 0;
  private isInString = false;
  private isEscaped = false;
  private lastString = '';
  private stringFrom = 0;
  private isDone = false;

  take(chunk: string): string[] {
    const found: string[] = [];
    for (const character of chunk) {
      if (this.isDone) break;
      const whole = this.next(character);
      if (whole !== null) found.push(whole);
    }
    return found;
  }

  end(): void {
    if (!this.isDone && (this.depth > 0 || this.text.trim() !== '')) throw new SyntaxError('it is truncated');
  }

  private next(character: string): string | null {
    const isOutside = this.depth === this.level && !this.isInString;
    if (isOutside && character !== '{') return this.between(character);
    this.text += character;
    if (this.text.length > MAX_TEXT) throw new SyntaxError('an object is too large');
    if (this.isInString) {
      this.inString(character);
      return null;
    }
    if (character === '"') {
      this.isInString = true;
      this.stringFrom = this.text.length;
    } else if (character === '{' || character === '[') {
      this.depth++;
      // `{ "users": [`: the text so far is not a user; what follows are users.
      if (character === '[' && this.level === 0 && this.depth === 2 && this.isNamedList()) {
        this.level = 2;
        this.text = '';
      }
    } else if (character === '}' || character === ']') {
      this.depth--;
      if (this.depth === this.level) {
        const whole = this.text;
        this.text = '';
        return whole;
      }
    }
    return null;
  }

  private between(character: string): null {
    if (character === '[' && this.level === 0) {
      this.level = 1;
      this.depth = 1;
    } else if (character === ']' && this.level > 0) this.isDone = true;
    else if (!/[\s,\uFEFF]/.test(character)) throw new SyntaxError(`expected an object but found ${character}`);
    return null;
  }

  private inString(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === '\\') this.isEscaped = true;
    else if (character === '"') {
      this.isInString = false;
      this.lastString = this.text.slice(this.stringFrom, -1);
    }
  }

  private isNamedList(): boolean {
    return LISTS.has(this.lastString) && /"\s*:\s*\[$/.test(this.text.slice(-64));
  }
}
