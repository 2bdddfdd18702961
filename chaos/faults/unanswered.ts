import { judge, type Finding } from '../checkers/finding.js';
import type { World } from '../world/world.js';
import { unknownsOf, unlike503 } from './unknowns.js';

/** Faults of receivers and wake-ups must not break responses to clients. An overloaded machine may respond 503. */
export function unansweredOf({ ledger }: World): Finding {
  const unknown = unknownsOf(ledger, 0);
  return judge('clients', `${ledger.operations.length} operations, ${unknown.length} put off`, unlike503(unknown));
}
