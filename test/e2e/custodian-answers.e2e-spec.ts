import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { x25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { newId } from '../../src/common/ids.js';
import {
  CustodianRegistry,
  SERVICE,
  type Custodian,
  type EmbeddedAccount,
  type EmbeddedChain,
  type KeyOwner,
  type PreparedKeys,
  type Signed,
} from '../../src/custody/index.js';
import { UnitOfWork } from '../../src/database/index.js';
import { CallPatience } from '../../src/idempotency/index.js';
import { EmbeddedWalletsService } from '../../src/wallets/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Refusal } from '../support/codes.js';
import { rowsOf } from '../support/rows.js';
import { eventually } from '../support/receiver.js';
import { Device } from '../support/shared-wallet.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World } from '../support/world.js';

type Accounts = (accounts: EmbeddedAccount[]) => unknown[];

/** Answers whatever a test says, which a vendor may do as well. */
class Unreliable implements Custodian {
  constructor(readonly version: 'V3' | 'external') {}

  readonly can = { create: this, retire: this, sign: this, export: this };
  accounts: Accounts = (accounts) => accounts;
  signed: unknown = { signature: '0x00' };
  asked = 0;
  prepared = 0;
  discarded = 0;

  async prepare(_owner: KeyOwner, chains: readonly EmbeddedChain[]): Promise<PreparedKeys> {
    this.prepared += 1;
    const { address, publicKey } = privateKeyToAccount(generatePrivateKey());
    const made = chains.map((chain) => ({ chain, index: 0, address, publicKey, path: 'm' }));
    return {
      keysId: newId(),
      isNew: true,
      accounts: this.accounts(made) as EmbeddedAccount[],
      store: async () => true,
      discard: () => void (this.discarded += 1),
    };
  }

  async retire(): Promise<string[]> {
    return [];
  }

  async export(): Promise<never> {
    throw new Error('It knows no such key.');
  }

  async sign(): Promise<Signed> {
    this.asked += 1;
    return this.signed as Signed;
  }
}

describe('the answers of a custodian', () => {
  const custodian = new Unreliable('external');
  const byDefault = new Unreliable('V3');
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    for (const one of [custodian, byDefault]) test.app.get(CustodianRegistry, { strict: false }).register(one);
    world = await World.create(test);
    await rowsOf(
      test,
      `UPDATE environment_settings SET settings = jsonb_set(settings, '{sdk,embeddedWallets,defaultWalletVersion}', '"V3"')
       WHERE environment_id = $1`,
      [world.environmentId],
    );
  });
  afterAll(() => test.close());

  const make = (email: string) => {
    const wanted = { identifier: email, type: 'email' as const, chains: ['EVM' as const] };
    const wallets = test.app.get(EmbeddedWalletsService, { strict: false });
    return wallets.create(world.environmentId, wanted, SERVICE, test.app.get(UnitOfWork), 'external');
  };

  it.each<[string, Accounts]>([
    ['no account', () => []],
    ['an account of another chain', (accounts) => accounts.map((one) => ({ ...one, chain: 'SOL' }))],
    ['two accounts of one chain', ([one]) => [one, { ...one, address: '0xother' }]],
    ['an empty address', (accounts) => accounts.map((one) => ({ ...one, address: '' }))],
    ['something else as an address', (accounts) => accounts.map((one) => ({ ...one, address: '{"code":17}' }))],
  ])('that have %s for a wallet make none: it is a fault, and the keys are discarded', async (_what, accounts) => {
    custodian.accounts = accounts;
    const before = { prepared: custodian.prepared, discarded: custodian.discarded };
    await expect(make(newEmail())).rejects.toThrow('The custodian of external answers no account of EVM.');
    custodian.accounts = (all) => all;
    expect([custodian.prepared, custodian.discarded]).toEqual([before.prepared + 1, before.discarded + 1]);
    expect(await rowsOf(test, 'SELECT id FROM wallets WHERE environment_id = $1', [world.environmentId])).toEqual([]);
  });

  it.each([[undefined], [null], [{}], ['0x00'], [{ signature: 17 }]])(
    'that are %j in place of a signature are a fault, which the ledger knows: the key may have been used',
    async (signed) => {
      const { email, userId, jwt } = await world.signIn(newEmail());
      await make(email);
      await rowsOf(test, 'UPDATE wallets SET claimed_at = now() WHERE user_id = $1', [userId]);
      const [wallet] = await rowsOf<{ id: string }>(test, 'SELECT id FROM wallets WHERE user_id = $1', [userId]);
      custodian.signed = signed;
      const answer = await fetch(`${test.url}/api/v0${world.sdk(`/users/embeddedWallets/${wallet!.id}/sign`)}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'message', message: 'Gatehouse' }),
      });
      expect([answer.status, ((await answer.json()) as Refusal).code]).toEqual([500, 'internal_error']);
      const sql = `SELECT verdict FROM key_ledger WHERE user_id = $1 AND operation = 'sign'`;
      expect(await rowsOf(test, sql, [userId])).toEqual([{ verdict: 'internal_error' }]);
    },
  );

  it('are not asked for where the key is shared with its user, though the wallet has the version of the custodian', async () => {
    const { jwt: token } = await world.signIn(newEmail());
    const { walletId } = await new Device(world, token).create('TWO_OF_TWO');
    const asked = (path: string, body: object, headers = {}) =>
      world.anonymous.post<Refusal>(world.sdk(path), body, { token, headers });
    const before = byDefault.asked;
    const signed = await asked(`/users/embeddedWallets/${walletId}/sign`, { kind: 'message', message: 'Gatehouse' });
    expect([signed.status, signed.body.code]).toEqual([422, 'not_supported_by_custodian']);
    const exportId = base58.encode(x25519.getPublicKey(x25519.utils.randomSecretKey()));
    const exported = await asked(`/waas/${walletId}/privateKey/export`, { exportId }, await proofOf(world, token));
    expect([exported.status, exported.body.code]).toEqual([422, 'not_supported_by_custodian']);
    expect(byDefault.asked).toBe(before);
  });

  describe('to a call with an Idempotency-Key', () => {
    const call = async (key: Record<string, string> = { 'idempotency-key': newId() }): Promise<number> => {
      const { status } = await fetch(`${test.url}/api/v0${world.path('/embeddedWallets')}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json', ...key },
        body: JSON.stringify({ identifier: newEmail(), type: 'email', chains: ['EVM'] }),
      });
      return status;
    };
    /** Fails when the answer is stored, which is the last thing that the transaction of such a call does. */
    const withoutRoom = async (work: () => Promise<number>): Promise<number> => {
      const body = `BEGIN RAISE EXCEPTION 'no room'; END`;
      await rowsOf(test, `CREATE FUNCTION on_answer() RETURNS trigger LANGUAGE plpgsql AS $$ ${body} $$`, []);
      const trigger = 'CREATE TRIGGER on_answer BEFORE INSERT ON idempotency_keys FOR EACH ROW';
      await rowsOf(test, `${trigger} EXECUTE FUNCTION on_answer()`, []);
      try {
        return await work();
      } finally {
        await rowsOf(test, 'DROP FUNCTION on_answer() CASCADE', []);
      }
    };
    const outcome = async (work: () => Promise<number>) => {
      const before = { prepared: byDefault.prepared, discarded: byDefault.discarded };
      const status = await work();
      return [status, byDefault.prepared - before.prepared, byDefault.discarded - before.discarded];
    };

    it('are kept with their wallet, and discarded if the call is undone after they were written', async () => {
      expect(await outcome(() => call())).toEqual([201, 1, 0]);
      expect(await outcome(() => withoutRoom(() => call()))).toEqual([500, 1, 1]);
    });

    it('are discarded if the call is given up while they are being written', async () => {
      const patience = test.app.get(CallPatience, { strict: false });
      const { ms } = patience;
      await rowsOf(
        test,
        `CREATE FUNCTION on_wallet() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$`,
        [],
      );
      await rowsOf(
        test,
        'CREATE TRIGGER on_wallet BEFORE INSERT ON wallets FOR EACH ROW EXECUTE FUNCTION on_wallet()',
        [],
      );
      patience.ms = 1_000;
      const before = byDefault.discarded;
      try {
        const [status, prepared] = await outcome(() => call());
        expect([status, prepared]).toEqual([503, 1]);
        await eventually('the keys are discarded', async () => byDefault.discarded - before === 1);
      } finally {
        patience.ms = ms;
        await rowsOf(test, 'DROP FUNCTION on_wallet() CASCADE', []);
      }
    });

    it('are discarded if the connection is lost before the commit, with a key or without, and kept if during it', async () => {
      const end = 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
      const losing = async (when: string, key?: Record<string, string>) => {
        await rowsOf(test, `CREATE FUNCTION on_wallet() RETURNS trigger LANGUAGE plpgsql AS $$ ${end} $$`, []);
        await rowsOf(test, `CREATE ${when} FOR EACH ROW EXECUTE FUNCTION on_wallet()`, []);
        try {
          return await outcome(() => call(key));
        } finally {
          await rowsOf(test, 'DROP FUNCTION on_wallet() CASCADE', []);
        }
      };
      const before = 'TRIGGER on_wallet AFTER INSERT ON wallets';
      const during = 'CONSTRAINT TRIGGER on_wallet AFTER INSERT ON wallets DEFERRABLE INITIALLY DEFERRED';
      expect(await losing(before)).toEqual([503, 1, 1]);
      expect(await losing(before, {})).toEqual([503, 1, 1]);
      expect(await losing(during, {})).toEqual([503, 1, 0]);
    });
  });
});
