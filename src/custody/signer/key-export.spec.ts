import { createHash } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import type { RateLimiter } from '../../auth/index.js';
import { conflict } from '../../common/errors/index.js';
import { Config } from '../../config/index.js';
import type { EnvironmentId, Transaction, UnitOfWork } from '../../database/index.js';
import type { HpkeMessage, Recipient } from '../../vault/index.js';
import type { SealedKey } from '../custodian.js';
import type { CustodianRegistry } from '../custodian-registry.js';
import { signerUnavailable } from '../custody.errors.js';
import { SERVICE, type KeyLedger } from '../ledger/key-ledger.js';
import type { KeyUse } from '../ledger/ledger-entry.js';
import type { SigningWallet } from '../signing/key-signing.js';
import { SigningPolicies } from '../signing/signing-policies.js';
import { KeyExport } from './key-export.js';

const WALLET: SigningWallet = {
  environmentId: 'e' as EnvironmentId,
  userId: 'u',
  keysId: 'k',
  walletId: 'w',
  address: '0xA',
  version: 'V1',
  isShared: false,
  chain: 'EVM',
  index: 0,
};
const RECIPIENT = {} as Recipient;
const SEALED: HpkeMessage = { enc: Buffer.from('enc'), ciphertext: Buffer.from('text') };

/** The way out, with a custodian that answers so, and the rows that it writes. */
function wayOut(
  answer: () => Promise<SealedKey>,
  { isThere = true, refusal }: { isThere?: boolean; refusal?: Error } = {},
) {
  const rows: KeyUse[] = [];
  const told = jest.fn(async () => undefined);
  const ledger = {
    record: (_environmentId: string, use: KeyUse) => rows.push(use),
    recordAlone: async (_environmentId: string, use: KeyUse) => rows.push(use),
  };
  const work = {
    run: (done: (tx: Transaction) => Promise<unknown>) => done({} as Transaction),
  } as unknown as UnitOfWork;
  const policies = new SigningPolicies(work);
  if (refusal) policies.register({ authorize: async () => null, authorizeExport: () => Promise.reject(refusal) });
  const exports = new KeyExport(
    { getFor: () => ({ export: answer }) } as unknown as CustodianRegistry,
    ledger as unknown as KeyLedger,
    {} as RateLimiter,
    work,
    policies,
    Config.load({}),
  );
  const by = { actor: { type: 'user', id: 'u' }, reason: 'P-256' } as const;
  const terms = { ...by, stillThere: async () => isThere, tell: told };
  return { rows, told, exports, asked: exports.export(WALLET, RECIPIENT, terms) };
}

describe('a key that leaves', () => {
  it('is a row with the digest of what was handed out', async () => {
    const { rows, asked } = wayOut(() => Promise.resolve(SEALED));
    expect(await asked).toBe(SEALED);
    expect(rows).toEqual([expect.objectContaining({ operation: 'export', verdict: 'allowed' })]);
    expect(rows[0]!.digest).toEqual(createHash('sha256').update('enctext').digest());
  });

  it('is sealed again until it is the current one, and only that one is a row', async () => {
    const outdated = { ...SEALED, ciphertext: Buffer.from('old'), isCurrent: async () => false };
    const answer = jest.fn(() => Promise.resolve<SealedKey>({ ...SEALED, isCurrent: async () => true }));
    answer.mockResolvedValueOnce(outdated);
    const { rows, told, asked } = wayOut(answer);
    expect((await asked).ciphertext).toEqual(SEALED.ciphertext);
    expect([answer, told, rows].map((one) => ('mock' in one ? one.mock.calls : one).length)).toEqual([2, 1, 1]);
  });

  it('is a row when its holder fails, who may have opened it, and none for what fails around that', async () => {
    const lost = wayOut(() => Promise.reject(new Error('broken')));
    await expect(lost.asked).rejects.toThrow('broken');
    expect(lost.rows).toEqual([expect.objectContaining({ verdict: 'internal_error', digest: null })]);
    const empty = wayOut(() => Promise.resolve({} as never));
    await expect(empty.asked).rejects.toThrow(TypeError);
    expect(empty.rows).toEqual([expect.objectContaining({ verdict: 'internal_error', digest: null })]);
    const unreachable = wayOut(() => Promise.resolve(SEALED), { refusal: new Error('database') });
    await expect(unreachable.asked).rejects.toThrow('database');
    expect(unreachable.rows).toEqual([]);
  });

  it('is told with its row, and one that stays is not', async () => {
    const left = wayOut(() => Promise.resolve(SEALED));
    await left.asked;
    expect(left.told).toHaveBeenCalledTimes(1);
    const stayed = wayOut(() => Promise.resolve(SEALED), { isThere: false });
    await expect(stayed.asked).rejects.toMatchObject({ status: 404 });
    expect(stayed.told).not.toHaveBeenCalled();
  });

  it('is a row with what was wrong, when it was lost with its signer', async () => {
    const lost = signerUnavailable({ cause: new Error('gone'), retryAfterSeconds: 1 });
    const { rows, asked } = wayOut(() => Promise.reject(lost));
    await expect(asked).rejects.toBe(lost);
    const subject = { walletId: 'w', chain: 'EVM', address: '0xA' };
    const use = { operation: 'export', userId: 'u', keysId: 'k', subject, digest: null, verdict: 'signer_unavailable' };
    expect(rows).toEqual([expect.objectContaining(use)]);
  });

  it('is not handed out when its wallet went away meanwhile, and is a row that says so of what was sealed', async () => {
    const { rows, asked } = wayOut(() => Promise.resolve(SEALED), { isThere: false });
    await expect(asked).rejects.toMatchObject({ status: 404 });
    expect(rows).toEqual([expect.objectContaining({ operation: 'export', verdict: 'not_found' })]);
    expect(rows[0]!.digest).toHaveLength(32);
  });

  it('stays closed where a policy refuses it, and is a row with that refusal', async () => {
    const refusal = conflict();
    const answer = jest.fn(() => Promise.resolve(SEALED));
    const { rows, asked } = wayOut(answer, { refusal });
    await expect(asked).rejects.toBe(refusal);
    expect(answer).not.toHaveBeenCalled();
    expect(rows).toEqual([expect.objectContaining({ operation: 'export', digest: null, verdict: refusal.code })]);
  });

  it('is a row as well where it is refused before it is asked for any further', async () => {
    const refusal = conflict();
    const { rows, exports, asked } = wayOut(() => Promise.resolve(SEALED), { refusal });
    await asked.catch(() => undefined);
    rows.length = 0;
    const about = { actor: SERVICE, userId: 'u', keysId: 'k', subject: { walletId: 'w' }, reason: 'reshare' };
    await expect(exports.assertAllowed(WALLET, about)).rejects.toBe(refusal);
    expect(rows).toEqual([{ operation: 'export', ...about, digest: null, verdict: refusal.code }]);
  });
});
