import { judge, landed } from '../checkers/finding.js';
import { readFileSync } from 'node:fs';
import { FAILPOINT_MARK } from '../builds/failpoints.js';
import type { Fault } from './fault.js';
import { createKeyed, createUntilAnswered, effectsOf, userIn } from './keyed.js';

const AT_ONCE = 50;

export const idempotency: Fault = {
  id: 'F26',
  title: 'One key fifty times at once, and a kill between effect and answer',
  criterion: 'one effect; a repetition is answered as the first was; another body is 422',
  stack: { build: 'failpoints', hooks: 1 },
  async run(world, size) {
    const trials = size === 'full' ? 20 : 5;
    const keys: string[] = [];
    const wrong: string[] = [];
    for (let trial = 0; trial < trials; trial += 1) {
      const key = `once-${trial}`;
      keys.push(key);
      const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => createKeyed(world, key)));
      const made = replies.filter(({ status }) => status === 201);
      // Calls during the processing of the first one may get 409.
      const others = replies.filter(({ status }) => status !== 201 && status !== 409);
      if (made.length === 0) wrong.push(`${key}: nobody succeeded`);
      wrong.push(...others.map(({ status, error }) => `${key} was answered ${status ?? error}`));
      if (new Set(made.map(userIn)).size > 1) wrong.push(`${key} made several users`);
      const again = await createKeyed(world, key);
      if (again.status !== 201 || again.text !== made[0]?.text) wrong.push(`${key} is answered differently later`);
      const other = await createKeyed(world, key, 'somebody else');
      if (other.status !== 422) wrong.push(`${key} with another body was answered ${other.status}`);
    }

    const crashing = world.apis;
    const reached = (): number =>
      crashing.reduce((sum, { log }) => sum + readFileSync(log, 'utf8').split(FAILPOINT_MARK).length - 1, 0);
    for (const api of crashing) {
      await api.kill();
      api.set({ FAILPOINT: 'after-commit:crash:0.5' });
      api.respawn(true);
      await api.start();
    }
    const killed: string[] = [];
    for (let trial = 0; reached() < trials && trial < 4 * trials; trial += 1) {
      const key = `killed-${trial}`;
      killed.push(key);
      const reply = await createUntilAnswered(world, key);
      if (reply.status !== 201) wrong.push(`${key} was answered ${reply.status ?? reply.error} in the end`);
    }
    const kills = reached();
    for (const api of crashing) {
      api.respawn(false);
      await api.kill();
      api.set({ FAILPOINT: '' });
      await api.start();
    }
    const effects = await effectsOf(world, [...keys, ...killed]);
    const twice = [...effects].filter(([, count]) => count !== 1).map(([key, count]) => `${key} took effect ${count}×`);
    return {
      figures: { trials, kills, keys: effects.size },
      findings: [
        landed(kills, trials, 'kills between effect and answer'),
        judge('answers', `${keys.length * AT_ONCE + killed.length} requests`, wrong),
        judge('effects', `${effects.size} keys`, twice),
      ],
    };
  },
};
