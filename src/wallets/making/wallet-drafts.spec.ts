import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SERVICE, type PreparedKeys } from '../../custody/index.js';
import { CommitInDoubt } from '../../database/index.js';
import { draftAndWrite } from './wallet-drafts.js';
import { StaleDraft, type WalletDraft } from './wallet-maker.js';

function drafts(fail: () => unknown = () => undefined) {
  const discarded: number[] = [];
  let made = 0;
  const draft = async (): Promise<WalletDraft> => {
    const at = made++;
    const keys: PreparedKeys = {
      keysId: `${at}`,
      isNew: true,
      accounts: [],
      store: async () => true,
      discard: () => {
        discarded.push(at);
        return fail() as void;
      },
    };
    return { userId: 'u', version: 'V1', claimed: false, actor: SERVICE, keys };
  };
  return { draft, discarded };
}

function thrown(error: Error): never {
  throw error;
}

describe('keys that are drafted before the transaction', () => {
  it('are drafted anew when they were overtaken, and the ones before are discarded', async () => {
    const { draft, discarded } = drafts();
    const write = async ({ keys }: WalletDraft) => {
      if (keys?.keysId !== '2') throw new StaleDraft();
      return keys.keysId;
    };
    await expect(draftAndWrite(draft, write)).resolves.toBe('2');
    expect(discarded).toEqual([0, 1]);
  });

  it('are discarded when anything else fails, and not drafted again', async () => {
    const { draft, discarded } = drafts();
    const refused = new Error('refused');
    await expect(draftAndWrite(draft, () => Promise.reject(refused))).rejects.toBe(refused);
    expect(discarded).toEqual([0]);
  });

  it('are kept when nobody knows whether the commit succeeded', async () => {
    const { draft, discarded } = drafts();
    const inDoubt = new CommitInDoubt(new Error('Connection terminated unexpectedly'));
    await expect(draftAndWrite(draft, () => Promise.reject(inDoubt))).rejects.toBe(inDoubt);
    expect(discarded).toEqual([]);
  });

  it('are given up after five times', async () => {
    const { draft, discarded } = drafts();
    const work = draftAndWrite(draft, () => Promise.reject(new StaleDraft()));
    await expect(work).rejects.toMatchObject({ status: 409, code: 'conflict' });
    expect(discarded).toEqual([0, 1, 2, 3, 4]);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => thrown(new Error('the vendor is away'))],
    ['rejects', () => Promise.reject(new Error('the vendor is away'))],
  ])('fail with the error that made them useless, though their custodian %s when it discards them', async (_, fail) => {
    const complaints = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const { draft, discarded } = drafts(fail);
    const write = async ({ keys }: WalletDraft) => {
      if (keys?.keysId === '0') throw new StaleDraft();
      throw new Error('refused');
    };
    await expect(draftAndWrite(draft, write)).rejects.toThrow('refused');
    // A rejection that nobody handles would end the process by now.
    await new Promise(setImmediate);
    expect(discarded).toEqual([0, 1]);
    const told = complaints.mock.calls.flat();
    complaints.mockRestore();
    expect(told).toEqual([0, 1].map((at) => `keys=${at} are not used and were not discarded: Error`));
  });
});
