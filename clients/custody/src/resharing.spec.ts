import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { ed25519Verify } from '../../../src/custody/derivation/ed25519-key.js';
import {
  commitNonces,
  completeSignature,
  publicKeyOf,
  shownShares,
  type PublicShares,
  type SecretShare,
} from '../../../src/custody/threshold/frost.js';
import { beginReshare, finishReshare } from '../../../src/custody/threshold/resharing.js';
import { identifierOf, suiteOf } from '../../../src/custody/threshold/suites.js';
import { clientParties, partiesOf, serverParties } from '../../../src/custody/threshold/schemes.js';
import { parseReshareShares, parseSigningShares } from '../../../src/custody/threshold/wire.js';
import { receiverKeys } from '../../../src/vault/index.js';
import { OtherGeneration, Resharing, signingShares, type ShareSet } from './index.js';
import { fromHex, toHex } from './encoding.js';
import { newReceiver, seal } from './sealing.js';

const { frost } = suiteOf('ed25519');

const ROOM = { environmentId: '018f2b7c-0000-7000-8000-000000000001', roomId: '018f2b7c-0000-7000-8000-000000000002' };
const SCHEMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const;
const TEXT = Buffer.from('I agree.');

type Scheme = (typeof SCHEMES)[number];
type Sent = ReturnType<typeof parseReshareShares>;
type Deep<T> = { -readonly [K in keyof T]: Deep<T[K]> };

const RFC = {
  publicKey: '15d21ccd7ee42959562fc8aa63224c8851fb3ec85a3faf66040d380fb9738673',
  share1: '929dcc590407aae7d388761cddb0c0db6f5627aea8e217f4a033f2ec83d93509',
  shown1: 'fc2c9b8e335c132d9ebe0403c9317aac480bbbf8cbdb1bc3730bb68eb60dadf9',
  share3: 'd3cb090a075eb154e82fdb4b3cb507f110040905468bb9c46da8bdea643a9a02',
  shown3: '2cff4148a2f965801fb1f25f1d2a4e5df2f75b3a57cd06f30471c2c774419a41',
  oneG: '5866666666666666666666666666666666666666666666666666666666666666',
  twoG: 'c9a3f86aae465f0e56513864510f3997561fa2c9e85ea21dc2292309f3cd6022',
};

const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Both sides of a key. */
interface Key {
  readonly client: ShareSet;
  readonly shares: PublicShares;
  readonly secrets: readonly SecretShare[];
}

/** A key that is dealt for the test. */
function dealt(scheme: Scheme): Key {
  const { min, max } = partiesOf(scheme);
  const { public: shown, secretShares } = frost.trustedDealer({ min, max });
  const secretOf = (id: number): SecretShare => ({
    id,
    share: toHex(secretShares[identifierOf('ed25519', id)]!.signingShare),
  });
  const shares = shownShares('ed25519', shown);
  const secrets = clientParties(scheme).map(secretOf);
  const client = { walletId: 'w', address: base58.encode(publicKeyOf(shares)), publicShares: shares, secrets };
  return { client, shares, secrets: serverParties(scheme).map(secretOf) };
}

/** A refresh or reshare between the two halves, with every message as JSON. */
async function anew(key: Key, scheme: Scheme, tamper: (sent: Deep<Sent>) => void = () => {}): Promise<Key> {
  const generation = key.client.generation ?? 1;
  const receivers = serverParties(scheme).map((at) => createHash('sha256').update(`receiver ${at}`).digest());
  const keygenIds = await Promise.all(receivers.map(async (one) => base58.encode((await receiverKeys(one)).X25519)));
  const kept = asJson(beginReshare(key, scheme, receivers));
  const packages = kept.dealers.map(({ id, commitment }) => ({ id, commitment }));
  const client = await Resharing.begin(key.client, scheme);
  const opening = asJson({ generation, scheme, packages });
  const sent = parseReshareShares(asJson(await client.respond(ROOM, opening, keygenIds)) as never);
  tamper(sent as Deep<Sent>);
  const clientKeys = sent.keygenIds.map((id) => base58.decode(id));
  const made = await finishReshare({ scheme, clientKeys, ...ROOM }, key, kept, sent);
  const nonces = commitNonces('ed25519', made.secrets);
  const publicKey = publicKeyOf(made.public).toString('hex');
  const said = { generation: generation + 1, shares: made.shares, commitments: nonces.commitments, publicKey };
  const { shares, proof, text } = await client.finish(ROOM, asJson(said));
  expect(shares.publicShares).toEqual(made.public);
  const side = { shares: made.public, secrets: made.secrets, ...nonces };
  const { signature } = completeSignature(side, parseSigningShares(asJson(proof) as never), text);
  expect(ed25519Verify(text, publicKeyOf(key.shares), signature)).toBe(true);
  return { client: shares, shares: made.public, secrets: made.secrets };
}

/** Whether some of the user's participants and some of the service's sign together. */
function signs({ client, shares, secrets }: Key, theirs: readonly number[], own: readonly number[]): boolean {
  const chosen = secrets.filter(({ id }) => own.includes(id));
  const nonces = commitNonces('ed25519', chosen);
  try {
    const sent = signingShares(client, nonces.commitments, TEXT, theirs);
    const { signature } = completeSignature({ shares, secrets: chosen, ...nonces }, parseSigningShares(sent), TEXT);
    return ed25519Verify(TEXT, publicKeyOf(shares), signature);
  } catch {
    return false;
  }
}

const subsets = (of: readonly number[]): number[][] =>
  of.reduce<number[][]>((all, one) => [...all, ...all.map((some) => [...some, one])], [[]]);

/** Every set of participants, split by sides, with at least one on each. */
const meetings = (scheme: Scheme): { theirs: number[]; own: number[] }[] =>
  subsets(clientParties(scheme)).flatMap((theirs) =>
    subsets(serverParties(scheme))
      .filter((own) => theirs.length > 0 && own.length > 0)
      .map((own) => ({ theirs, own })),
  );

function assertSigns(key: Key, scheme: Scheme): void {
  for (const { theirs, own } of meetings(scheme)) {
    const isEnough = theirs.length + own.length >= partiesOf(scheme).min;
    expect([theirs, own, signs(key, theirs, own)]).toEqual([theirs, own, isEnough]);
  }
}

/** The secret that shares say, whichever of them they are. */
const combined = (secrets: readonly SecretShare[], { min, max }: PublicShares): string =>
  toHex(
    frost.combineSecret(
      secrets.map(({ id, share }) => ({ identifier: identifierOf('ed25519', id), signingShare: fromHex(share) })),
      { min, max },
    ),
  );

describe('shares of a key that are made anew', () => {
  it.each(SCHEMES)('by %s as before sign in every number that it takes, and in none below', async (scheme) => {
    const key = dealt(scheme);
    const next = await anew(key, scheme);
    expect(publicKeyOf(next.shares)).toEqual(publicKeyOf(key.shares));
    expect(next.shares.verifyingShares.some((one) => key.shares.verifyingShares.includes(one))).toBe(false);
    assertSigns(next, scheme);
  });

  it('from 2 of 2 to 2 of 3 to 3 of 5 to 2 of 2 keep the key and its address', async () => {
    let key = dealt('TWO_OF_TWO');
    const first = publicKeyOf(key.shares);
    const secret = combined([...key.client.secrets, ...key.secrets], key.shares);
    for (const [at, scheme] of (['TWO_OF_THREE', 'THREE_OF_FIVE', 'TWO_OF_TWO'] as const).entries()) {
      key = await anew(key, scheme);
      expect([publicKeyOf(key.shares), key.client.generation]).toEqual([first, at + 2]);
      expect(signs(key, clientParties(scheme), serverParties(scheme))).toBe(true);
      const all = [...key.client.secrets, ...key.secrets];
      expect(combined(all.slice(0, key.shares.min), key.shares)).toBe(secret);
    }
  });

  it.each(SCHEMES)('by %s never combine with older ones', async (scheme) => {
    const old = dealt(scheme);
    const next = await anew(old, scheme);
    const all = (key: Key): SecretShare[] => [...key.client.secrets, ...key.secrets];
    const secret = combined(all(old), old.shares);
    const { min, max } = partiesOf(scheme);
    const ids = Array.from({ length: max }, (_, at) => at);
    for (const chosen of subsets(ids).filter(({ length }) => length === min)) {
      for (const older of subsets(chosen).filter(({ length }) => length > 0 && length < min)) {
        const mixed = chosen.map((at) => (older.includes(at) ? all(old) : all(next))[at]!);
        expect(combined(mixed, old.shares)).not.toBe(secret);
      }
    }
    const [theirs, own] = [clientParties(scheme), serverParties(scheme)];
    expect(signs({ ...next, client: old.client }, theirs, own)).toBe(false);
    expect(signs({ ...old, client: next.client }, theirs, own)).toBe(false);
    expect(signs({ ...next, secrets: old.secrets }, theirs, own)).toBe(false);
  });

  it('replace a lost one of the user: one of two is enough for it', async () => {
    const { client, ...service } = dealt('TWO_OF_THREE');
    const next = await anew({ ...service, client: { ...client, secrets: client.secrets.slice(1) } }, 'TWO_OF_THREE');
    expect(signs(next, [1], [3]) && signs(next, [2], [3])).toBe(true);
  });

  it.each<[string, (sent: Deep<Sent>) => void]>([
    [
      'a share that was tampered with',
      ({ shares: [share] }) => {
        share!.ciphertext = `${share!.ciphertext.startsWith('A') ? 'B' : 'A'}${share!.ciphertext.slice(1)}`;
      },
    ],
    ['a polynomial of another constant', ({ packages: [own] }) => own!.commitment.reverse()],
    ['a polynomial of another degree', ({ packages: [own] }) => own!.commitment.pop()],
    [
      'a commitment that is no point',
      ({ packages: [own] }) => {
        own!.commitment[1] = 'ff'.repeat(32);
      },
    ],
    ['no share', ({ shares }) => shares.pop()],
  ])('are given up for %s, and its participant is named', async (_, tamper) => {
    const key = dealt('TWO_OF_TWO');
    await expect(anew(key, 'TWO_OF_TWO', tamper)).rejects.toMatchObject({ name: 'CeremonyFault', party: 1 });
  });

  it.each<[string, (sent: Deep<Sent>) => void]>([
    ['nobody', ({ packages }) => packages.pop()],
    ['a participant that there is not', ({ packages: [own] }) => (own!.id = 3)],
    ['the participant of the service', ({ packages: [own] }) => (own!.id = 2)],
    ['one participant twice', ({ packages }) => packages.push(packages[0]!)],
    ['more participants than it takes', ({ packages }) => packages.push({ ...packages[0]!, id: 3 })],
  ])('are given up when they are dealt by %s', async (_, tamper) => {
    const given = anew(dealt('TWO_OF_TWO'), 'TWO_OF_TWO', tamper);
    await expect(given).rejects.toThrow("1 of the user's participants deal their shares");
  });

  it('are given up when a sealed share is not on the polynomial', async () => {
    const key = dealt('TWO_OF_TWO');
    const receiver = createHash('sha256').update('receiver 2').digest();
    const keygenId = base58.encode((await receiverKeys(receiver)).X25519);
    const kept = asJson(beginReshare(key, 'TWO_OF_TWO', [receiver]));
    const opening = { generation: 1, scheme: 'TWO_OF_TWO', packages: kept.dealers } as const;
    const lying = await Resharing.begin(key.client);
    const other = { ...opening, packages: asJson(kept.dealers) };
    const sent = parseReshareShares(asJson(await lying.respond(ROOM, other, [keygenId])) as never) as Deep<Sent>;
    const second = parseReshareShares(asJson(await lying.respond(ROOM, other, [keygenId])) as never) as Deep<Sent>;
    sent.packages[0]!.commitment[1] = second.packages[0]!.commitment[1]!;
    const clientKeys = sent.keygenIds.map((id) => base58.decode(id));
    const finished = finishReshare({ scheme: 'TWO_OF_TWO', clientKeys, ...ROOM }, key, kept, sent);
    await expect(finished).rejects.toMatchObject({ name: 'CeremonyFault', party: 1 });
  });

  it('are those of docs/threshold.md for the key of RFC 9591, appendix E.1', async () => {
    const scalar = (value: number): string => value.toString(16).padStart(2, '0').padEnd(64, '0');
    const shares = { min: 2, max: 3, commitments: [RFC.publicKey], verifyingShares: [RFC.shown1, '', RFC.shown3] };
    const receiver = Buffer.alloc(32, 7);
    const keygenId = base58.encode((await receiverKeys(receiver)).X25519);
    const clientKeys = [base58.decode((await newReceiver()).keygenId)];
    const dealers = [{ id: 3, commitment: [RFC.shown3, RFC.twoG], coefficients: [scalar(2)] }];
    const info = Buffer.from(`reshare/v1|${ROOM.environmentId}|${ROOM.roomId}|1|2`);
    const commitment = [RFC.shown1, RFC.oneG];
    const { Fn } = frost.utils;
    const share = Fn.toBytes(Fn.add(Fn.fromBytes(fromHex(RFC.share1)), 2n));
    const sealed = await seal(keygenId, share, info, Buffer.from(commitment.join(''), 'hex'));
    const made = await finishReshare(
      { scheme: 'TWO_OF_TWO', clientKeys, ...ROOM },
      { shares, secrets: [{ id: 3, share: RFC.share3 }] },
      { receivers: [receiver.toString('hex')], dealers },
      { keygenIds: [], packages: [{ id: 1, commitment }], shares: [{ from: 1, to: 2, ...sealed }] },
    );
    const page = readFileSync(join(import.meta.dirname, '../../../docs/threshold.md'), 'utf8');
    expect(made.secrets[0]!.share).toBe('7c1c33d3f5291d85de664833beb1ad469f7fb6025a0ec78b3a790c6e13a98304');
    for (const one of [...made.public.commitments, ...made.secrets.map((secret) => secret.share)]) {
      expect(page).toContain(`"${one}"`);
    }
  });

  it('are not made by a device that has shares of another generation, or by a service that deals another key', async () => {
    const key = dealt('TWO_OF_TWO');
    const client = await Resharing.begin(key.client);
    const { keygenId } = await newReceiver();
    const packages = beginReshare(key, 'TWO_OF_TWO', [Buffer.alloc(32, 1)]).dealers;
    const opening = { generation: 2, scheme: 'TWO_OF_TWO', packages } as const;
    await expect(client.respond(ROOM, opening, [keygenId])).rejects.toThrow(OtherGeneration);
    const foreign = beginReshare(dealt('TWO_OF_TWO'), 'TWO_OF_TWO', [Buffer.alloc(32, 1)]).dealers;
    const lying = { ...opening, generation: 1, packages: foreign };
    await expect(client.respond(ROOM, lying, [keygenId])).rejects.toThrow('Participant 2 deals something else');
  });

  it('tell the service no more points of a polynomial than it has participants', async () => {
    const key = dealt('TWO_OF_TWO');
    const client = await Resharing.begin(key.client);
    const packages = beginReshare(key, 'TWO_OF_TWO', [Buffer.alloc(32, 1)]).dealers;
    const opening = { generation: 1, scheme: 'TWO_OF_TWO', packages } as const;
    const ids = [(await newReceiver()).keygenId, (await newReceiver()).keygenId];
    await expect(client.respond(ROOM, opening, ids)).rejects.toThrow('another number of shares');
    await expect(client.respond(ROOM, { ...opening, scheme: 'TWO_OF_THREE' }, ids)).rejects.toThrow('another scheme');
  });
});
