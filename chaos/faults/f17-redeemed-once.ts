import { judge, landed } from '../checkers/finding.js';
import { PATIENT } from '../world/stack-wish.js';
import type { Fault } from './fault.js';
import { AT_ONCE, type Artefact } from './redemptions/artefact.js';
import { coupon, invite } from './redemptions/console.js';
import { emailCode, emailLinkCode } from './redemptions/email-codes.js';
import { People } from './redemptions/people.js';
import { refreshToken } from './redemptions/refresh-token.js';
import { redelivery } from './redemptions/redelivery.js';

/**
 * Single-use artefacts that are redeemed here, across instances. Nonces, codes by text message, OAuth states, second
 * factors, passkeys and key exports are redeemed concurrently in the end-to-end suites only. Idempotency keys have
 * their own fault, F26.
 */
const ARTEFACTS: readonly Artefact[] = [emailCode, emailLinkCode, refreshToken, invite, coupon, redelivery];

export const redeemedOnce: Fault = {
  id: 'F17',
  title: 'Everything that is good once, a hundred times at once',
  criterion: 'exactly one success of each, in every trial',
  stack: { apis: 2, workers: 1, hooks: 1, api: PATIENT },
  async run(world, size) {
    const trials = size === 'full' ? 100 : 3;
    const people = await People.of(world);
    const figures: Record<string, string> = {};
    const findings = [];
    let done = 0;
    const prepared = [];
    for (const artefact of ARTEFACTS) {
      prepared.push({ name: artefact.name, present: await artefact.prepare(world, people) });
    }
    for (const { name, present } of prepared) {
      const wrong: string[] = [];
      let good = 0;
      for (let trial = 0; trial < trials; trial += 1) {
        const found = await present(trial);
        if (found.length === 0) good += 1;
        wrong.push(...found);
        done += 1;
      }
      figures[name] = `${good}/${trials}`;
      findings.push(judge(name, `${trials} trials, ${AT_ONCE} at once`, wrong));
    }
    return { figures, findings: [landed(done, trials * ARTEFACTS.length, 'trials'), ...findings] };
  },
};
