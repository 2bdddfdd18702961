import { setTimeout as delay } from 'node:timers/promises';
import { atMost, judge, landed } from '../checkers/finding.js';
import { Client, type Reply } from '../load/client.js';
import type { Fault } from './fault.js';

const SLOW = 50;
const WAIT_MS = 2000;
/** Shorter than the 3 s lock timeout: statements that hold a connection succeed. */
const HELD_MS = 2600;
/** For the response to return on a busy machine. */
const SLACK_MS = 900;
const NORMAL_MS = 1000;

export const poolExhausted: Fault = {
  id: 'F12',
  title: 'Five connections and fifty slow transactions',
  criterion: 'wait at most 2 s, then 503 with Retry-After; no deadlock; normal within 1 s',
  stack: { apis: 1, workers: 1, hooks: 1, api: { DATABASE_POOL: '5' } },
  async run(world) {
    const [api] = world.apis;
    // Bypasses the balancer, which may remove a busy instance.
    const client = new Client(api?.origin ?? '');
    const { environmentId, token } = world.ground.tenant;
    const path = `/api/v0/environments/${environmentId}/users`;
    const headers = { authorization: `Bearer ${token}` };
    const create = (email: string): Promise<Reply> => client.call({ method: 'POST', path, headers, body: { email } });
    const slow: Promise<Reply>[] = [];
    await world.withDatabase(async (db) => {
      await db.query('BEGIN');
      await db.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
      for (let index = 0; index < SLOW; index += 1) slow.push(create(`slow-${index}@chaos.example`));
      await delay(HELD_MS);
      await db.query('COMMIT');
    });
    const endedAt = performance.now();
    let normal = await create('normal-0@chaos.example');
    for (let tries = 1; normal.status !== 201 && performance.now() - endedAt < 10_000; tries += 1) {
      await delay(20);
      normal = await create(`normal-${tries}@chaos.example`);
    }
    const normalMs = performance.now() - endedAt;
    const replies = await Promise.all(slow);
    client.close();
    const refused = replies.filter(({ status }) => status === 503);
    const wrong = replies
      .filter(({ status }) => status !== 201 && status !== 503)
      .map(({ status, error }) => `answered ${status ?? error}`);
    const untold = refused.filter((reply) => reply.headers['retry-after'] === undefined);
    const waited = Math.max(0, ...refused.map(({ ms }) => ms));
    return {
      figures: {
        made: replies.length - refused.length - wrong.length,
        refused: refused.length,
        waitedMostMs: Math.round(waited),
        normalMs: Math.round(normalMs),
      },
      findings: [
        landed(refused.length + wrong.length, SLOW / 2, 'requests that found no connection'),
        judge('answers', `${replies.length} requests`, wrong),
        judge(
          'Retry-After',
          `${refused.length} refused`,
          untold.map(() => 'a 503 without Retry-After'),
        ),
        atMost('wait', waited, WAIT_MS + SLACK_MS, ' ms'),
        atMost('normal again', normalMs, NORMAL_MS, ' ms'),
      ],
    };
  },
};
