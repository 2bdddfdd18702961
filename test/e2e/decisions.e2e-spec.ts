import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { forbidden } from '../../src/common/errors/index.js';
import { identifierKeyOf, type ClaimableIdentifier } from '../../src/identity/credentials/identifier-key.js';
import { SignInCheck, SignInChecks, type Admission } from '../../src/identity/index.js';
import {
  decisionRows,
  type DecisionRow,
  type Holder,
  type Holding,
  type Intent,
} from '../../src/identity/linking/decisions.js';
import { Accounts, type AccountAnswer } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import {
  linkTo,
  openCredentialDoors,
  outcomeOf,
  type Door,
  type ShownCredential,
} from '../support/credential-doors.js';
import { DoorPeers } from '../support/door-peers.js';
import type { PasskeySite, Person } from '../support/passkeys.js';
import { PlantedRows } from '../support/planted-rows.js';
import { rowsOf } from '../support/rows.js';
import { newKey } from '../support/wallet-sign-in.js';
import { World } from '../support/world.js';

type Credential = AccountAnswer['user']['verifiedCredentials'][number] & { verifiedAt?: string | null };

let test: TestApp;
let world: World;
let accounts: Accounts;
let peers: DoorPeers;
let site: PasskeySite;
let doors: Map<string, Door>;
const keptOut = new Set<string>();

/** Keeps out whom the test names. */
class KeptOut extends SignInCheck {
  override async check({ user }: Admission): Promise<null> {
    if (keptOut.has(user.id)) throw forbidden();
    return null;
  }
}

beforeAll(async () => {
  peers = await DoorPeers.start();
  test = await startTestApp({ env: { ROLE: 'api', ...peers.env } });
  world = await World.create(test);
  accounts = new Accounts(world);
  ({ site, doors } = await openCredentialDoors(peers, world));
  test.app.get(SignInChecks, { strict: false }).register(new KeptOut());
});
afterAll(async () => {
  await test?.close();
  await peers?.stop();
});

const DOORS: Record<DecisionRow['kind'], string[]> = {
  email: ['email'],
  phoneNumber: ['sms'],
  socialAccountId: ['oauth', 'messaging network', 'frame network'],
  wallet: ['wallet'],
  passkey: ['passkey'],
  externalUserId: ['externalUserId'],
  foreignSubject: ['foreignSubject'],
};

/** A credential of a user, as the API shows it. */
async function credentialOf(userId: string, identifier: ClaimableIdentifier): Promise<Credential | undefined> {
  const key = identifierKeyOf(identifier);
  const { verifiedCredentials } = await accounts.user(userId);
  return (verifiedCredentials as Credential[]).find((own) => key.matches(own as never));
}

/** Credentials that an API call gives to a user without anything else; others are claimed along with it. */
const UNCLAIMED = ['email', 'socialAccountId', 'wallet'];

/** An API call says that a user has it. Of a passkey it can say no more than that it is claimed. */
async function state(userId: string, identifier: ClaimableIdentifier): Promise<void> {
  const { kind, identifier: claimed } = identifierKeyOf(identifier);
  if (kind !== 'passkey') await give(userId, identifier);
  if (UNCLAIMED.includes(kind)) return;
  await rowsOf(
    test,
    'INSERT INTO identifier_claims (environment_id, kind, identifier, user_id) VALUES ($1, $2, $3, $4)',
    [world.environmentId, kind, claimed, userId],
  );
}

/** A credential that nobody has proven. */
async function give(userId: string, identifier: ClaimableIdentifier, more: object = {}): Promise<void> {
  const { credential } = identifierKeyOf(identifier);
  const values = Object.entries({ signInEnabled: false, ...credential, ...more });
  const names = values.map(([name]) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  await rowsOf(
    test,
    `INSERT INTO credentials (environment_id, id, user_id, ${names.join(', ')})
     VALUES ($1, gen_random_uuid(), $2, ${names.map((_, at) => `$${at + 3}`).join(', ')})`,
    [world.environmentId, userId, ...values.map(([, value]) => value)],
  );
}

/** A wallet whose key the service keeps, with its credential. */
async function embed(userId: string, identifier: ClaimableIdentifier): Promise<void> {
  const walletId = randomUUID();
  await rowsOf(
    test,
    `INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider, seed_id, account_index, version)
     VALUES ($1, $2, $3, 'embedded', 'Planted', $4, $5, 'embeddedWallet', gen_random_uuid(), 0, 'V1')`,
    [world.environmentId, walletId, userId, identifier.chain, identifier.value],
  );
  await give(userId, identifier, { walletProvider: 'embeddedWallet', walletProperties: '{}', walletId });
}

/** The same of a user who has not come yet, and for whom a wallet was made. */
async function stateAhead(userId: string, identifier: ClaimableIdentifier): Promise<void> {
  await rowsOf(test, 'DELETE FROM credentials WHERE environment_id = $1 AND user_id = $2', [
    world.environmentId,
    userId,
  ]);
  await state(userId, identifier);
  await embed(userId, { kind: 'wallet', chain: 'EVM', value: newKey().address });
}

/** Leaves a user with nothing but one credential. */
async function leaveAlone(userId: string, identifier: ClaimableIdentifier): Promise<void> {
  const { id } = (await credentialOf(userId, identifier))!;
  await rowsOf(test, 'DELETE FROM credentials WHERE environment_id = $1 AND user_id = $2 AND id <> $3', [
    world.environmentId,
    userId,
    id,
  ]);
}

/** Brings a credential into the hands that a row names. @returns the other user, where there is one */
async function arrange(shown: ShownCredential, holder: Holder, caller: Person): Promise<Person | null> {
  const { identifier } = shown;
  if (holder === 'nobody') return null;
  if (holder === 'caller') return linkTo(caller, shown).then(() => null);
  if (holder === 'caller-unproven') return state(caller.userId, identifier).then(() => null);
  if (holder === 'caller-embedded') return embed(caller.userId, identifier).then(() => null);
  const other = await site.person();
  if (holder === 'stated') await state(other.userId, identifier);
  else if (holder === 'stated-embedded') await stateAhead(other.userId, identifier);
  else if (holder === 'embedded') await embed(other.userId, identifier);
  else await linkTo(other, shown);
  if (holder === 'other-last') await leaveAlone(other.userId, identifier);
  if (holder === 'other-blocked') keptOut.add(other.userId);
  if (holder === 'other-guarded') {
    const planted = await PlantedRows.of(test, { ...other, environmentId: world.environmentId, mark: 'x' });
    await planted.plant('mfa_devices', { verified_at: new Date() });
  }
  return other;
}

/** Who has proven it. */
async function proverOf(identifier: ClaimableIdentifier): Promise<string | null> {
  const { kind, identifier: claimed } = identifierKeyOf(identifier);
  const [claim] = await rowsOf<{ userId: string }>(
    test,
    `SELECT user_id AS "userId" FROM identifier_claims
     WHERE environment_id = $1 AND kind = $2 AND identifier = $3 AND proven_at IS NOT NULL`,
    [world.environmentId, kind, claimed],
  );
  return claim?.userId ?? null;
}

/** What a row says, tried by somebody with a second session, whom a change signs out there. */
async function tried(intent: Intent, shown: ShownCredential, holder: Holder): Promise<string> {
  const caller = await site.person();
  const other = await arrange(shown, holder, caller);
  const elsewhere = await world.signIn(caller.email);
  const before = await proverOf(shown.identifier);
  const { status, code } = await (intent === 'link' ? shown.link(caller) : shown.transfer!(caller));
  const after = await proverOf(shown.identifier);
  const isElsewhere = await accounts.isLive(elsewhere.jwt);
  if (status !== 200) {
    // Nothing has changed: not whose it is, and nobody is signed out.
    expect([status, after, isElsewhere]).toEqual([422, before, true]);
    return code!;
  }
  expect([code, after]).toEqual([undefined, caller.userId]);
  const credential = await credentialOf(caller.userId, shown.identifier);
  expect(credential?.verifiedAt).toEqual(expect.any(String));
  if (intent === 'transfer') {
    expect(credential?.previous_users).toEqual([other!.userId]);
    expect(await credentialOf(other!.userId, shown.identifier)).toBeUndefined();
    return 'move';
  }
  return isElsewhere ? 'keep' : 'tie';
}

/** The same of a credential that somebody wants to be rid of. */
async function unlinked(shown: ShownCredential, holding: Holding): Promise<string> {
  const [caller, other] = [await site.person(), await site.person()];
  const { identifier } = shown;
  const owner = holding === 'unknown' ? other : caller;
  if (holding === 'own-unproven') await give(caller.userId, identifier);
  else if (holding === 'own-embedded') await embed(caller.userId, identifier);
  else await linkTo(owner, shown);
  if (holding === 'own-last') await leaveAlone(caller.userId, identifier);
  const { id } = (await credentialOf(owner.userId, identifier))!;
  const body = { verifiedCredentialId: id };
  const { status, code } = outcomeOf(await accounts.post('/verify/unlink', caller.jwt, body));
  const left = await credentialOf(owner.userId, identifier);
  if (status !== 200) {
    expect([status, left?.id]).toEqual([422, id]);
    return code!;
  }
  expect([left, await proverOf(identifier)]).toEqual([undefined, null]);
  return 'remove';
}

const ROWS = decisionRows().flatMap((row) => DOORS[row.kind].map((door) => ({ ...row, door })));

describe('the table of decisions', () => {
  it('is tested completely: every kind of credential by each way to prove it', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(decisionRows().length);
    expect([...doors.keys()].toSorted()).toEqual([...new Set(Object.values(DOORS).flat())].toSorted());
    for (const [name, { kind }] of doors) expect(DOORS[kind]).toContain(name);
  });

  it.each(ROWS)('$intent $kind by $door, which is of $holder: $decision', async (row) => {
    const shown = doors.get(row.door)!.fresh();
    const outcome = await (row.intent === 'unlink'
      ? unlinked(shown, row.holder as Holding)
      : tried(row.intent, shown, row.holder as Holder));
    expect(outcome).toBe(row.decision);
  });

  it.each(Object.values(DOORS).flat())('is not reached by a session without a recent proof: %s', async (name) => {
    const shown = doors.get(name)!.fresh();
    const caller = await site.person();
    await accounts.age(caller);
    const { status, code } = await shown.link({ ...caller, elevated: '' });
    expect([status, code]).toEqual([403, 'fresh_proof_required']);
    expect([await proverOf(shown.identifier), await credentialOf(caller.userId, shown.identifier)]).toEqual([
      null,
      undefined,
    ]);
  });

  it('would fail with another decision: what is nobody’s is not kept, and what is another’s is not linked', async () => {
    const email = doors.get('email')!;
    expect(await tried('link', email.fresh(), 'nobody')).not.toBe('keep');
    expect(await tried('link', email.fresh(), 'other')).not.toBe('tie');
  });
});
