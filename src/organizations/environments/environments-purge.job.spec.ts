import { describe, expect, it } from '@jest/globals';
import { MAX_DELETED } from './deleted-environments.repository.js';
import { EnvironmentsPurge } from './environments-purge.job.js';

type Arguments = ConstructorParameters<typeof EnvironmentsPurge>;

/** An environment of which a row cannot be removed. */
const STUCK = 'stuck';

/** Deleted environments with so many rows in their one table; 500 go at a time. */
function purgeOf(rows: Record<string, number>) {
  const rings: [string, number | undefined][] = [];
  const handlers: (() => Promise<void>)[] = [];
  const intervals: number[] = [];
  const projectsRemoved: number[] = [];
  const deleted = {
    listEnvironments: async (_grace: number, after: string) =>
      Object.keys(rows)
        .sort()
        .filter((id) => id > after)
        .slice(0, MAX_DELETED),
    removeEnvironment: async (id: string) => void delete rows[id],
    removeProjects: async () => void projectsRemoved.push(Object.keys(rows).length),
  } as unknown as Arguments[0];
  const tables = {
    tables: async () => [{ table: 'users', column: 'environment_id' }],
    remove: async (_table: unknown, id: string, limit: number) => {
      if (id.startsWith(STUCK)) throw new Error('referred to');
      const removed = Math.min(limit, rows[id]!);
      rows[id]! -= removed;
      return removed;
    },
  } as unknown as Arguments[1];
  const queue = {
    ring: (bell: string, delay?: number) => rings.push([bell, delay]),
  } as unknown as Arguments[2];
  const jobs = {
    every: (_bell: string, interval: number, handler: () => Promise<void>) => {
      handlers.push(handler);
      intervals.push(interval);
    },
  } as unknown as Arguments[3];
  const purge = new EnvironmentsPurge(deleted, tables, queue, jobs);
  purge.onModuleInit();
  return { purge, rows, rings, handlers, intervals, projectsRemoved };
}

describe('the removal of deleted environments', () => {
  it('removes their rows, then themselves, then their projects', async () => {
    const { purge, rows, projectsRemoved } = purgeOf({ a: 499, b: 500, c: 0 });
    expect(await purge.run()).toBe(true);
    expect(rows).toEqual({});
    expect(projectsRemoved).toEqual([0]);
  });

  it('goes on with the others when one cannot be removed, and then says what was in the way', async () => {
    const { purge, rows, projectsRemoved } = purgeOf({ a: 1, [STUCK]: 1, b: 1 });
    await expect(purge.run()).rejects.toThrow('referred to');
    expect(rows).toEqual({ [STUCK]: 1 });
    expect(projectsRemoved).toEqual([1]);
  });

  it('leaves none for the next run, however many there are and cannot be removed', async () => {
    const stuck = Array.from({ length: 150 }, (_, n): [string, number] => [`${STUCK} ${1_000 + n}`, 1]);
    const others = Array.from({ length: 250 }, (_, n): [string, number] => [`t${1_000 + n}`, 1]);
    const { purge, rows } = purgeOf(Object.fromEntries([...stuck, ...others]));
    await expect(purge.run()).rejects.toThrow('referred to');
    expect(rows).toEqual(Object.fromEntries(stuck));
  });

  it('stops after 20 full batches and asks to go on, so that a shutdown does not wait for it', async () => {
    const { rows, rings, handlers } = purgeOf({ a: 15_000 });
    const before = rings.length;
    await handlers[0]!();
    expect(rows).toEqual({ a: 5_000 });
    expect(rings.slice(before)).toEqual([['environments.purge', undefined]]);
    await handlers[0]!();
    expect(rows).toEqual({});
    expect(rings.slice(before)).toHaveLength(1);
  });

  it('is looked for every five minutes, as a ring may be lost with its instance, or fail while the database is away', () => {
    expect(purgeOf({}).intervals).toEqual([300_000]);
  });

  it('begins when no instance knows the environment any more', () => {
    const { purge, rings } = purgeOf({});
    purge.ring();
    expect(rings.map(([, delayMs]) => delayMs)).toEqual([6_000, 6_000]);
  });
});
