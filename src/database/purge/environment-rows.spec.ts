import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Database } from '../database.js';
import type { EnvironmentId } from '../scope.js';
import { EnvironmentRows, type Removal } from './environment-rows.js';

const environmentId = 'e' as EnvironmentId;
const table = { table: 'vendor_keys', column: 'environment_id', key: ['environment_id', 'id'] };

describe('the removal of rows by the context that owns them', () => {
  afterEach(() => void jest.useRealTimers());

  const rowsWith = (...removals: Removal[]): EnvironmentRows => {
    const rows = new EnvironmentRows({} as Database);
    for (const removal of removals) rows.removeBy(table.table, removal);
    return rows;
  };

  it('is shared by all that the table has, up to the limit', async () => {
    const asked: number[] = [];
    const taking = (count: number) => async (_: EnvironmentId, limit: number) => {
      asked.push(limit);
      return Math.min(count, limit);
    };
    expect(await rowsWith(taking(3), taking(9), taking(9)).remove(table, environmentId, 10)).toBe(10);
    expect(asked).toEqual([10, 7]);
  });

  it('fails if it does not end within a minute, so that the next environment has its turn', async () => {
    jest.useFakeTimers();
    const rows = rowsWith(() => new Promise(() => undefined));
    let outcome = 'removing';
    const note = (result: unknown): void => void (outcome = String(result));
    const removing = rows.remove(table, environmentId, 500).then(note, note);
    await jest.advanceTimersByTimeAsync(59_000);
    expect(outcome).toBe('removing');
    await jest.advanceTimersByTimeAsync(1_000);
    await removing;
    expect(outcome).toContain('The rows of vendor_keys were not removed within 60 seconds.');
  });
});
