import { judge, type Finding } from '../checkers/finding.js';
import type { World } from '../world/world.js';
import { unknownsOf, unlike503 } from './unknowns.js';

/**
 * What happens to receivers and bells is nothing that breaks an answer to a client. A machine that has too much to do may
 * say so, with 503.
 */
export function unansweredOf({ ledger }: World): Finding {
  const unknown = unknownsOf(ledger, 0);
  return judge('clients', `${ledger.operations.length} operations, ${unknown.length} put off`, unlike503(unknown));
}
