import { describe, expect, it, jest } from '@jest/globals';
import { mintEnvironmentId } from '../../auth/index.js';
import { newId } from '../../common/ids.js';
import { CustodianRegistry, SERVICE, type Custodian, type KeyLedger, type RetiresKeys } from '../../custody/index.js';
import type { Transaction } from '../../database/index.js';
import type { DeletedShares, KeysOfVersion } from '../record/wallet-shares.js';
import { KeyRetirement } from './key-retirement.js';
import type { UserSharesRepository } from './user-shares.repository.js';

/** A custodian that takes these keys out of use, whatever is asked of it. */
const retiring = (version: Custodian['version'], ...keys: string[]): Custodian => ({
  version,
  can: { retire: { retire: async () => keys } },
});

describe('the retirement of keys', () => {
  const owner = { environmentId: mintEnvironmentId(newId()), userId: newId() };
  const [seed, elsewhere] = [newId(), newId()];
  const shares: DeletedShares = { keysId: newId(), walletId: newId(), protocol: 'FROST', scheme: 'TWO_OF_TWO' };
  const why = { actor: SERVICE, reason: 'test' };

  const held: KeysOfVersion[] = [];

  function retirementOf(...custodians: Custodian[]) {
    const registry = new CustodianRegistry();
    for (const custodian of custodians) registry.register(custodian);
    const record = jest.fn<KeyLedger['record']>();
    const recordAll = jest.fn<KeyLedger['recordAll']>();
    const ofUser = {
      delete: async () => ({ shares: [shares], held }),
    } as Partial<UserSharesRepository> as UserSharesRepository;
    const retirement = new KeyRetirement(registry, ofUser, { record, recordAll } as Partial<KeyLedger> as KeyLedger);
    const retire = (keys: Parameters<RetiresKeys['retire']>[0]) =>
      retirement.retire(keys, why, { afterCommit: () => undefined } as Partial<Transaction> as Transaction);
    const told = () => [
      ...record.mock.calls.map(([, { keysId }]) => keysId),
      ...recordAll.mock.calls.flatMap(([, uses]) => uses.map(({ keysId }) => keysId)),
    ];
    return { retire, told, recordAll };
  }

  it('takes all keys of a user out of use, whoever holds them, and those that are shared with the user', async () => {
    const { retire, told } = retirementOf(retiring('V1', seed), { version: 'V2', can: {} }, retiring('V3', elsewhere));
    await retire(owner);
    expect(told()).toEqual([seed, elsewhere, shares.keysId]);
  });

  it('takes keys of one id out of use, and no others', async () => {
    const { retire, told } = retirementOf(retiring('V1', seed), retiring('V3'));
    await retire({ ...owner, keysId: seed });
    expect(told()).toEqual([seed]);
  });

  it('writes down keys whose custodian was taken away, once for all wallets of them', async () => {
    const { retire, told, recordAll } = retirementOf(retiring('V1', seed));
    const left = [elsewhere, elsewhere].map((keysId) => ({ keysId, version: 'V3' }) as const);
    held.push({ keysId: seed, version: 'V1' }, ...left);
    await retire(owner);
    held.length = 0;
    expect(told()).toEqual([seed, elsewhere, shares.keysId]);
    const { verdict, subject } = recordAll.mock.calls[0]![1][0]!;
    expect([verdict, subject]).toEqual(['no_compatible_wallet_service_enabled', { version: 'V3' }]);
  });

  it('fails, and with it the transaction, when a custodian takes others out of use than those named', async () => {
    const { retire } = retirementOf(retiring('V1', seed), retiring('external', elsewhere));
    await expect(retire({ ...owner, keysId: seed })).rejects.toThrow('of external retired other keys');
  });
});
