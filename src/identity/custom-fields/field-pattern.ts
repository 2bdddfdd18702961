import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { invalidRegex } from './custom-field.errors.js';

/** Maximum instructions of a compiled pattern, with repetitions expanded. */
const MAX_PROGRAM_SIZE = 1_000;
/**
 * The most work per match, in instructions times characters. A pattern within it takes less than 50 ms; small ones
 * match values of any length, the largest ones values of 40 characters.
 */
const MAX_WORK = 40_000;
const MAX_CACHED = 1_000;

/** A regular expression with RE2 semantics, matched against whole values in linear time. */
export class FieldPattern {
  private static readonly compiled = new LRUCache<string, FieldPattern>({ max: MAX_CACHED });

  private constructor(
    private readonly expression: RE2JS,
    private readonly size: number,
  ) {}

  /** @throws invalidRegex */
  static compile(pattern: string): FieldPattern {
    const known = this.compiled.get(pattern);
    if (known) return known;
    const expression = parse(pattern);
    const size = expression.programSize();
    if (size > MAX_PROGRAM_SIZE) throw tooLarge();
    const made = new FieldPattern(expression, size);
    this.compiled.set(pattern, made);
    return made;
  }

  /** Whether `compile` returns at once, from the cache. */
  static isCompiled(pattern: string): boolean {
    return this.compiled.has(pattern);
  }

  static get cachedCount(): number {
    return this.compiled.size;
  }

  /** Upper bound of the cost of a match, in instructions times characters. */
  workOn(value: string): number {
    return this.size * value.length;
  }

  /** Also false for values that would take too long. */
  matches(value: string): boolean {
    return this.workOn(value) <= MAX_WORK && this.expression.testExact(value);
  }
}

function parse(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const at = error.getPattern();
    if (at === null) throw tooLarge();
    const offset = Math.max(0, pattern.indexOf(at));
    throw invalidRegex({
      message: `The regular expression cannot be used: ${error.getDescription()} at ${offset}.`,
      payload: { offset, additionalMessages: [error.getDescription()] },
    });
  }
}

const tooLarge = () =>
  invalidRegex({
    message: 'The regular expression is too large.',
    payload: { offset: 0, additionalMessages: ['expression too large'] },
  });
