import { setTimeout as delay } from 'node:timers/promises';
import { atMost, judge, landed, type Finding } from '../checkers/finding.js';
import { percentile } from '../checkers/percentile.js';
import { freePort } from '../../test/support/ports.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';
import { underLoad } from './when.js';

const P99_MS = 1500;
const LATE_MS = 2000;

interface Illness {
  readonly name: string;
  readonly begin: (world: World) => Promise<unknown>;
  readonly end: (world: World) => Promise<unknown>;
}

const ILLNESSES: readonly Illness[] = [
  {
    name: '2 s late',
    begin: async (world) => void (world.proxy('redis').delayMs = LATE_MS / 2),
    end: async (world) => void (world.proxy('redis').delayMs = 0),
  },
  {
    name: 'full',
    begin: (world) => world.redis.command('CONFIG', 'SET', 'maxmemory', 1, 'maxmemory-policy', 'noeviction'),
    end: (world) => world.redis.command('CONFIG', 'SET', 'maxmemory', 0),
  },
  {
    name: 'read-only',
    // A replica of a non-existent server: it can be read but not written.
    begin: async (world) => world.redis.command('REPLICAOF', '127.0.0.1', await freePort()),
    end: (world) => world.redis.command('REPLICAOF', 'NO', 'ONE'),
  },
];

async function suffer(world: World, { name, begin, end }: Illness, ms: number): Promise<Finding[]> {
  const from = performance.now();
  await begin(world);
  await delay(ms);
  await end(world);
  const done = world.ledger.operations.filter(({ invokedAt }) => invokedAt >= from && invokedAt < from + ms);
  await delay(3000);
  const times = done.map(({ invokedAt, endedAt }) => (endedAt ?? performance.now()) - invokedAt);
  const errors = done.filter(({ status }) => status === 500).map(({ kind }) => `${kind} was answered 500`);
  return [
    { ...landed(done.length, ms / 40, `requests while Redis was ${name}`), what: `landed ${name}` },
    atMost(`p99 ${name}`, percentile(times, 0.99), P99_MS, ' ms'),
    judge(`answers ${name}`, `${done.length} requests`, errors),
  ];
}

export const redisPoor: Fault = {
  id: 'F7',
  title: 'Redis late, full, or read-only',
  criterion: 'p99 of the API at most 1.5 s; no 500',
  stack: { proxied: ['redis'] },
  async run(world, size) {
    const findings: Finding[] = [];
    await underLoad(world, 50, async () => {
      for (const illness of ILLNESSES)
        findings.push(...(await suffer(world, illness, size === 'full' ? 10_000 : 5000)));
    });
    return { figures: { illnesses: ILLNESSES.length }, findings };
  },
};
