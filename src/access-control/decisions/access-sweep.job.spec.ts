import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Jobs } from '../../queue/index.js';
import type { AccessGrantsRepository, DueGrant } from './access-grants.repository.js';
import type { AccessSweep } from './access-sweep.js';
import { AccessSweepJob } from './access-sweep.job.js';

const DUE = { environmentId: 'e', userId: 'u' } as DueGrant;

/** @param fails which calls fail, by how many grants they may add */
function sweepOf(fails: (mostAdded: number) => boolean) {
  const swept: string[] = [];
  const grants: Partial<AccessGrantsRepository> = {
    listDue: (_seconds, _most, mostAdded = 0) =>
      fails(mostAdded) ? Promise.reject(new Error('statement timeout')) : Promise.resolve([DUE]),
  };
  const sweep: Partial<AccessSweep> = { sweep: async (environmentId) => void swept.push(environmentId) };
  const job = new AccessSweepJob({ isStopping: false } as Jobs, grants as AccessGrantsRepository, sweep as AccessSweep);
  return { swept, job };
}

describe('a run of the sweep', () => {
  it('checks those who are due although people whom no rule has seen could not be looked for', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const { swept, job } = sweepOf((mostAdded) => mostAdded > 0);
    expect(await job.run()).toBe(1);
    expect(swept).toEqual(['e']);
    expect(error).toHaveBeenCalledTimes(1);
    error.mockRestore();
  });

  it('fails if nobody who is due can be read', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    await expect(sweepOf(() => true).job.run()).rejects.toThrow('statement timeout');
    error.mockRestore();
  });
});
