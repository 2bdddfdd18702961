import { setTimeout as delay } from 'node:timers/promises';
import type { Environment, Instance } from '../servers/instance.js';
import type { World } from './world.js';

/** So many answers in a row, whichever instance they come from, say that the balancer uses all of them again. */
const IN_A_ROW = 12;
const POLL_MS = 100;
const LIMIT_MS = 60_000;

/** Ends instances and starts them with further settings, such as the port of a server that the fault has begun. */
export async function restartWith(world: World, instances: readonly Instance[], settings: Environment): Promise<void> {
  await Promise.all(
    instances.map(async (instance) => {
      await instance.kill();
      instance.set(settings);
      await instance.start();
    }),
  );
  if (instances.some((instance) => world.apis.includes(instance))) await untilSeen(world);
}

async function untilSeen({ client }: World): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (let good = 0; good < IN_A_ROW;) {
    if (performance.now() > deadline) throw new Error('The balancer does not hand requests on.');
    const { status } = await client.call({ method: 'GET', path: '/readyz' });
    good = status === 200 ? good + 1 : 0;
    await delay(POLL_MS);
  }
}
