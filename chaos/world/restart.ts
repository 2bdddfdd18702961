import { setTimeout as delay } from 'node:timers/promises';
import type { Environment, Instance } from '../servers/instance.js';
import type { World } from './world.js';

/** This many successful responses in a row, from any instance, show that the balancer uses all instances again. */
const IN_A_ROW = 12;
const POLL_MS = 100;
const LIMIT_MS = 60_000;

/** Restarts instances with further settings, such as the port of a server started by the fault. */
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
