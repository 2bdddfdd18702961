import { setTimeout as delay } from 'node:timers/promises';
import { atMost, judge, landed } from '../checkers/finding.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';
import { underLoad } from './when.js';

const DOWN_MS = 20_000;
const DRAINED_MS = 15_000;
const SIGN_INS = 0.99;
const WRONG_AT_ONCE = 50;
const MOST_TRIES = 5;

/** Concurrent wrong codes for one verification, then the right one. Each compared attempt is counted first. */
export async function guess(world: World): Promise<{ counted: number; rightStatus: number | null }> {
  const { environmentId, codes } = world.ground.tenant;
  // The load takes codes from the other end.
  const code = codes[codes.length - 1 - Math.floor(world.random() * 100)];
  if (!code) throw new Error('No code is left.');
  const path = `/api/v0/sdk/${environmentId}/emailVerifications/signin`;
  const tryCode = (verificationToken: string): ReturnType<World['client']['call']> =>
    world.client.call({ method: 'POST', path, body: { ...code, verificationToken } });
  const wrong = code.verificationToken === '000000' ? '000001' : '000000';
  await Promise.all(Array.from({ length: WRONG_AT_ONCE }, () => tryCode(wrong)));
  const right = await tryCode(code.verificationToken);
  const { rows } = await world.withDatabase((client) =>
    client.query<{ attempts: number }>('SELECT attempts FROM email_verifications WHERE id = $1', [
      code.verificationUUID,
    ]),
  );
  return { counted: rows[0]?.attempts ?? 0, rightStatus: right.status };
}

export const redisKilled: Fault = {
  id: 'F6',
  title: 'Redis SIGKILL and 20 s without it, nothing kept',
  criterion: 'lost 0; sign-ins at least 99 %; a code never tried more than 5 times; drained 15 s after the return',
  async run(world) {
    let guesses = { counted: 0, rightStatus: 0 as number | null };
    let endedAt = 0;
    let during = 0;
    await underLoad(world, 50, async () => {
      await delay(2000);
      const from = performance.now();
      await world.redis.kill();
      guesses = await guess(world);
      await delay(DOWN_MS - (performance.now() - from));
      during = world.ledger.operations.filter(({ invokedAt }) => invokedAt >= from).length;
      await world.redis.restart();
      endedAt = performance.now();
      await delay(2000);
    });
    const signIns = world.ledger.operations.filter(({ kind }) => kind === 'signIn');
    const failed = signIns.filter(({ outcome }) => outcome !== 'ok').length;
    const right = guesses.rightStatus !== null && guesses.rightStatus < 300;
    return {
      figures: { during, signIns: signIns.length, failedSignIns: failed, tries: guesses.counted },
      findings: [
        landed(during, 500, 'requests without Redis'),
        atMost('failed sign-ins', failed, Math.floor(signIns.length * (1 - SIGN_INS))),
        { ...landed(guesses.counted, MOST_TRIES, 'tries counted without Redis'), what: 'landed tries' },
        atMost('tries', guesses.counted, MOST_TRIES),
        judge('right code after them', 'refused', right ? ['the right code was accepted after too many'] : []),
      ],
      bounds: { recovery: { endedAt, firstSuccessMs: 2000, drainedMs: DRAINED_MS } },
    };
  },
};
