import { FieldPattern } from './field-pattern.js';
import { PatternTurns, WORK_OF_A_TURN } from './pattern-turns.js';

/** The most work for the patterns of one request, in instructions times characters: six of the largest matches. */
export const WORK_OF_A_REQUEST = 240_000;

const turns = new PatternTurns();

/** The remaining budget for the patterns of one request, however many fields it fills in. */
export class PatternBudget {
  private left = WORK_OF_A_REQUEST;

  /** Also false for values that would take too long, alone or with those before them. */
  async matches(regex: string, value: string): Promise<boolean> {
    // Compiling costs as much as many matches, and happens once.
    if (!FieldPattern.isCompiled(regex)) await turns.take(WORK_OF_A_TURN);
    const pattern = FieldPattern.compile(regex);
    const work = pattern.workOn(value);
    if (work > this.left) return false;
    this.left -= work;
    await turns.take(work);
    return pattern.matches(value);
  }
}
