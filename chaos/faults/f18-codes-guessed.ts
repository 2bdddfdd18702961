import { atMost, judge, landed } from '../checkers/finding.js';
import { atOnce, isRefusal, tally } from '../load/at-once.js';
import { jsonOf } from '../load/client.js';
import { PATIENT } from '../world/stack-wish.js';
import type { Fault } from './fault.js';
import { countsOf } from './redemptions/artefact.js';
import { emailOf } from '../../bench/plant/tenant.js';

const AT_ONCE = 100;
const MOST_COMPARED = 5;
const WRONG = 'wrong_email_verification_token';

/** An attempt is counted per code and per address before the code is compared. */
const COUNTS = `
  SELECT v.attempts, d.failures,
    (SELECT count(*) FROM users WHERE environment_id = $1 AND email = $3)::int AS users
  FROM email_verifications v
  JOIN code_destinations d ON d.environment_id = v.environment_id AND d.destination_hash = v.destination_hash
  WHERE v.environment_id = $1 AND v.id = $2`;

/** A different six-digit code. */
const wrongCode = (code: string, step: number): string =>
  String((Number(code) + 1 + step) % 1_000_000).padStart(6, '0');

export const codesGuessed: Fault = {
  id: 'F18',
  title: 'A hundred wrong codes at once, then the right one',
  criterion: `at most ${MOST_COMPARED} comparisons, then refused, the right one as well`,
  stack: { apis: 2, workers: 1, hooks: 1, api: PATIENT },
  async run(world, size) {
    const trials = size === 'full' ? 20 : 3;
    const { codes, environmentId } = world.ground.tenant;
    const path = `/api/v0/sdk/${environmentId}/emailVerifications/signin`;
    let [guesses, most, told] = [0, 0, 0];
    const wrong: string[] = [];
    for (let trial = 0; trial < trials; trial += 1) {
      const index = codes.length - 1 - trial;
      const code = codes[index];
      if (!code) break;
      const redeem = (verificationToken: string) =>
        world.client.call({ method: 'POST', path, body: { ...code, verificationToken } });
      const replies = await atOnce(AT_ONCE, (step) => redeem(wrongCode(code.verificationToken, step)));
      guesses += replies.filter(isRefusal).length;
      if (!replies.every(isRefusal)) wrong.push(`guesses were answered ${tally(replies)}`);
      // Attempts after the fifth may get the same response without a comparison: it does not tell the two apart.
      told = Math.max(told, replies.filter((reply) => jsonOf(reply)['code'] === WRONG).length);
      const right = await redeem(code.verificationToken);
      if (!isRefusal(right)) wrong.push(`the right code was answered ${right.status ?? right.error} afterwards`);
      const counts = await countsOf(world, COUNTS, [environmentId, code.verificationUUID, emailOf(index)]);
      most = Math.max(most, counts['attempts'] ?? Infinity, counts['failures'] ?? Infinity);
      if (counts['users'] !== 0) wrong.push('a guess made a user');
    }
    return {
      figures: { trials, guesses, comparedMost: most, toldWrongMost: told },
      findings: [
        landed(guesses, trials * AT_ONCE, 'guesses that were answered'),
        atMost('comparisons', most, MOST_COMPARED),
        judge('answers', `${trials} codes`, wrong),
      ],
    };
  },
};
