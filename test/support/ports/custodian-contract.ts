import { deepStrictEqual, notDeepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { recoverMessageAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  EMBEDDED_CHAINS,
  type EmbeddedChain,
  type Capabilities,
  type Capability,
  type Custodian,
  type KeyOwner,
  type PreparedKeys,
} from '../../../src/custody/index.js';
import type { Transaction } from '../../../src/database/index.js';
import { newRecipient, sealFor } from '../hpke-open.js';

/** A custodian under test, with what it needs. */
export interface CustodianUnderTest {
  custodian: Custodian;
  /** The chains it holds keys for; all by default. */
  chains?: readonly EmbeddedChain[];
  /** An existing user without keys. */
  newOwner(): Promise<KeyOwner>;
  /** Runs work in one transaction and commits it. */
  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface CustodianRule {
  /** The rule applies to custodians with this capability. */
  capability: Capability;
  /** A rule that holds for every custodian. */
  sentence: string;
  /** Throws if the rule is violated. */
  verify(subject: CustodianUnderTest): Promise<void>;
}

const CALLERS = 50;
/** The readable properties of prepared keys, and of accounts. */
const PUBLIC = ['accounts', 'isNew', 'keysId'];
const PUBLIC_OF_ACCOUNT = ['address', 'chain', 'index', 'path', 'publicKey'];

export function able<C extends Capability>({ custodian }: CustodianUnderTest, capability: C): Capabilities[C] {
  const found: Partial<Capabilities>[C] = custodian.can[capability];
  if (!found) throw new Error(`The custodian cannot ${capability}.`);
  return found;
}

const chainsOf = ({ chains = EMBEDDED_CHAINS }: CustodianUnderTest): readonly EmbeddedChain[] => chains;

/** Creates and stores keys for a new user. */
export async function storedKeys(subject: CustodianUnderTest): Promise<{ owner: KeyOwner; keys: PreparedKeys }> {
  const owner = await subject.newOwner();
  const keys = await able(subject, 'create').prepare(owner, chainsOf(subject));
  ok(await subject.transact((tx) => keys.store(tx)));
  return { owner, keys };
}

const RULES: readonly CustodianRule[] = [
  {
    capability: 'create',
    sentence: 'makes the first account on every chain, each address once',
    verify: async (subject) => {
      const { keys } = await storedKeys(subject);
      deepStrictEqual(
        keys.accounts.map(({ chain, index }) => ({ chain, index })),
        chainsOf(subject).map((chain) => ({ chain, index: 0 })),
      );
      strictEqual(new Set(keys.accounts.map(({ address }) => address)).size, chainsOf(subject).length);
    },
  },
  {
    capability: 'create',
    sentence: 'makes no keys for a user who has some',
    verify: async (subject) => {
      const { owner, keys } = await storedKeys(subject);
      const again = await able(subject, 'create').prepare(owner, chainsOf(subject));
      deepStrictEqual([again.keysId, again.accounts], [keys.keysId, keys.accounts]);
      ok(await subject.transact((tx) => again.store(tx)));
    },
  },
  {
    capability: 'create',
    sentence: 'gives other users other keys',
    verify: async (subject) => {
      const [one, other] = [await storedKeys(subject), await storedKeys(subject)];
      notDeepStrictEqual(one.keys.keysId, other.keys.keysId);
      notDeepStrictEqual(one.keys.accounts, other.keys.accounts);
    },
  },
  {
    capability: 'create',
    sentence: `lets one of ${CALLERS} at once store its keys, and the others begin anew with those`,
    verify: async (subject) => {
      const owner = await subject.newOwner();
      const create = able(subject, 'create');
      const drafts = await Promise.all(Array.from({ length: CALLERS }, () => create.prepare(owner, ['EVM'])));
      const stored = await Promise.all(drafts.map((draft) => subject.transact((tx) => draft.store(tx))));
      const winners = drafts.filter((_, at) => stored[at]);
      strictEqual(new Set(winners.map(({ keysId }) => keysId)).size, 1);
      for (const [at, draft] of drafts.entries()) if (!stored[at]) draft.discard();
      deepStrictEqual((await create.prepare(owner, ['EVM'])).keysId, winners[0]?.keysId);
    },
  },
  {
    capability: 'create',
    sentence: 'keeps nothing of keys whose transaction was rolled back',
    verify: async (subject) => {
      const owner = await subject.newOwner();
      const draft = await able(subject, 'create').prepare(owner, ['EVM']);
      const failure = new Error('rolled back');
      const work = subject.transact(async (tx) => {
        ok(await draft.store(tx));
        throw failure;
      });
      await rejects(work, (error) => error === failure);
      draft.discard();
      const next = await able(subject, 'create').prepare(owner, ['EVM']);
      ok(await subject.transact((tx) => next.store(tx)));
    },
  },
  {
    capability: 'create',
    sentence: 'never uses keys again that were retired, nor lets them be stored',
    verify: async (subject) => {
      const { owner, keys } = await storedKeys(subject);
      const create = able(subject, 'create');
      const late = await create.prepare(owner, ['EVM']);
      await subject.transact((tx) => able(subject, 'retire').retire(owner, 30, tx));
      strictEqual(await subject.transact((tx) => late.store(tx)), false);
      const next = await create.prepare(owner, chainsOf(subject));
      notDeepStrictEqual(next.keysId, keys.keysId);
      notDeepStrictEqual(next.accounts, keys.accounts);
    },
  },
  {
    capability: 'create',
    sentence: 'retires keys of one id alone',
    verify: async (subject) => {
      const { owner, keys } = await storedKeys(subject);
      const create = able(subject, 'create');
      const retire = (keysId: string) =>
        subject.transact((tx) => able(subject, 'retire').retire({ ...owner, keysId }, 0, tx));
      deepStrictEqual(await retire(randomUUID()), []);
      const live = await create.prepare(owner, chainsOf(subject));
      deepStrictEqual([live.isNew, live.keysId, live.accounts], [false, keys.keysId, keys.accounts]);
      live.discard();
      deepStrictEqual(await retire(keys.keysId), [keys.keysId]);
      deepStrictEqual(await retire(keys.keysId), []);
    },
  },
  {
    capability: 'create',
    sentence: 'shows ids, addresses and public keys of what it prepares, and nothing else',
    verify: async (subject) => {
      const prepared = await able(subject, 'create').prepare(await subject.newOwner(), chainsOf(subject).slice(0, 2));
      const shown = JSON.parse(JSON.stringify(prepared)) as { accounts: object[] };
      deepStrictEqual(Object.keys(shown).sort(), PUBLIC);
      for (const account of shown.accounts) deepStrictEqual(Object.keys(account).sort(), PUBLIC_OF_ACCOUNT);
      ok(!/sealed|entropy|seed|private/i.test(inspect(prepared, { depth: 5 }).replaceAll('PreparedSeed', '')));
    },
  },
  {
    capability: 'derive',
    sentence: 'derives the accounts it began with, and further ones that are all different',
    verify: async (subject) => {
      const { owner, keys } = await storedKeys(subject);
      const held = { ...owner, keysId: keys.keysId };
      const places = chainsOf(subject).flatMap((chain) => [0, 1, 2].map((index) => ({ chain, index })));
      const derived = await able(subject, 'derive').derive(held, places);
      deepStrictEqual(await able(subject, 'derive').derive(held, places), derived);
      deepStrictEqual(
        derived.filter(({ index }) => index === 0),
        keys.accounts,
      );
      strictEqual(new Set(derived.map(({ address }) => address)).size, places.length);
    },
  },
  {
    capability: 'derive',
    sentence: 'derives nothing for another user or environment than the keys are of',
    verify: async (subject) => {
      const [mine, other] = [await storedKeys(subject), await storedKeys(subject)];
      const { keysId } = mine.keys;
      await rejects(able(subject, 'derive').derive({ ...other.owner, keysId }, [{ chain: 'EVM', index: 0 }]));
      const elsewhere = { ...mine.owner, environmentId: other.owner.environmentId, keysId };
      await rejects(able(subject, 'derive').derive(elsewhere, [{ chain: 'EVM', index: 0 }]));
    },
  },
  {
    capability: 'sign',
    sentence: 'signs for the address that it derives, and for no other',
    verify: async (subject) => {
      const { owner, keys } = await storedKeys(subject);
      const [account] = keys.accounts;
      const held = { ...owner, keysId: keys.keysId, ...account! };
      const message = Buffer.from('Gatehouse');
      const { signature } = await able(subject, 'sign').sign(held, { kind: 'message', message });
      strictEqual(await recoverMessageAddress({ message: 'Gatehouse', signature: signature as Hex }), account!.address);
      const elsewhere = { ...held, index: 1 };
      await rejects(able(subject, 'sign').sign(elsewhere, { kind: 'message', message }));
    },
  },
  {
    capability: 'sign',
    sentence: 'signs nothing with keys of another user or environment, or that were retired',
    verify: async (subject) => {
      const [mine, other] = [await storedKeys(subject), await storedKeys(subject)];
      const request = { kind: 'message', message: Buffer.from('Gatehouse') } as const;
      const held = { ...mine.owner, keysId: mine.keys.keysId, ...mine.keys.accounts[0]! };
      await rejects(able(subject, 'sign').sign({ ...held, ...other.owner }, request));
      await rejects(able(subject, 'sign').sign({ ...held, environmentId: other.owner.environmentId }, request));
      await subject.transact((tx) => able(subject, 'retire').retire(mine.owner, 30, tx));
      await rejects(able(subject, 'sign').sign(held, request));
    },
  },
  {
    capability: 'export',
    sentence: 'exports the key of the address that it derives, to its recipient alone, and none that was retired',
    verify: async (subject) => {
      const { owner, keys } = await storedKeys(subject);
      const account = keys.accounts[0]!;
      const held = { ...owner, keysId: keys.keysId, ...account };
      const recipient = newRecipient('X25519');
      const info = Buffer.from('contract');
      const { enc, ciphertext } = await able(subject, 'export').export(held, { ...recipient, info });
      const key = recipient.open(enc, ciphertext, info, Buffer.from(account.address));
      strictEqual(privateKeyToAccount(`0x${key.toString('hex')}`).address, account.address);
      await rejects(able(subject, 'export').export({ ...held, index: 1 }, { ...recipient, info }));
      await subject.transact((tx) => able(subject, 'retire').retire(owner, 30, tx));
      await rejects(able(subject, 'export').export(held, { ...recipient, info }));
    },
  },
  {
    capability: 'import',
    sentence: 'takes a key over that proves its address, of its user alone, until it is retired',
    verify: async (subject) => {
      const [mine, other] = [await subject.newOwner(), await subject.newOwner()];
      const imports = able(subject, 'import');
      const key = randomBytes(32);
      const { address } = privateKeyToAccount(`0x${key.toString('hex')}`);
      const [info, importId, sessionId] = [Buffer.from('contract'), randomUUID(), randomUUID()];
      const { sealed, publicKeys } = await imports.createReceiver(mine, importId);
      const offer = {
        chain: 'EVM',
        address,
        info,
        ...sealFor(publicKeys.P256, key, info, Buffer.from(address)),
      } as const;
      const wrong = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`).address;
      const another = { ...offer, address: wrong, ...sealFor(publicKeys.P256, key, info, Buffer.from(wrong)) };
      const receiver = { importId, sessionId, sealed };
      await rejects(imports.import(mine, receiver, another));
      await rejects(imports.import(other, receiver, offer));
      await rejects(imports.import(mine, { ...receiver, importId: randomUUID() }, offer));
      const imported = await imports.import(mine, receiver, offer);
      strictEqual(imported.account.address, address);
      await subject.transact((tx) => imported.store(tx));
      const held = { ...mine, keysId: imported.keysId, index: 0, ...imported.account };
      const request = { kind: 'message', message: Buffer.from('Gatehouse') } as const;
      const { signature } = await able(subject, 'sign').sign(held, request);
      strictEqual(await recoverMessageAddress({ message: 'Gatehouse', signature: signature as Hex }), address);
      await rejects(able(subject, 'sign').sign({ ...held, ...other }, request));
      // The user's seed is a different one, and stays when this key is deleted.
      const seed = await able(subject, 'create').prepare(mine, ['EVM']);
      ok(await subject.transact((tx) => seed.store(tx)));
      const { keysId } = imported;
      deepStrictEqual(await subject.transact((tx) => able(subject, 'retire').retire({ ...mine, keysId }, 30, tx)), [
        keysId,
      ]);
      await rejects(able(subject, 'sign').sign(held, request));
      strictEqual((await able(subject, 'create').prepare(mine, ['EVM'])).keysId, seed.keysId);
    },
  },
];

/** The contract of a custodian with these capabilities. Run it with `it.each` against a real one. */
export const custodianContract = (capabilities: readonly Capability[]): readonly CustodianRule[] =>
  RULES.filter(({ capability }) => capabilities.includes(capability));
