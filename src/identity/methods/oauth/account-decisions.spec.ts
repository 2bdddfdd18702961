import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { SocialIdentity } from '../../../providers/index.js';
import { identifiersOf } from './oauth-identifiers.js';
import { admittedIdentifiers } from '../../flows/proofs/admitted-identifiers.js';
import { resolveProof, type HeldIdentifier } from '../../flows/proofs/proof-resolution.js';

type Claim = NonNullable<HeldIdentifier['claim']>;

const nobodys: Claim = { userId: null, isProven: false, candidates: [] };
const provenBy = (userId: string): Claim => ({ userId, isProven: true, candidates: [] });
/** As an API call leaves it: a credential, with or without a claim beside it. */
const givenTo = (...candidates: string[]): Claim => ({ userId: null, isProven: false, candidates });
const claimedFor = (userId: string): Claim => ({ userId, isProven: false, candidates: [userId] });

const ACCOUNTS = { unknown: nobodys, 'of Ann': provenBy('ann'), 'given to Ann': givenTo('ann') };
const ADDRESSES = {
  free: nobodys,
  'proven by Ann': provenBy('ann'),
  'proven by Bob': provenBy('bob'),
  'given to Ann': givenTo('ann'),
  'given to Bob': givenTo('bob'),
  'claimed for Bob': claimedFor('bob'),
  'given to both': givenTo('ann', 'bob'),
};
type Account = keyof typeof ACCOUNTS;
type Address = keyof typeof ADDRESSES;

/** Who signs in, and whether the address becomes theirs. `nobody yet` is a new user; `refused` is `ambiguous`. */
interface Outcome {
  user: 'nobody yet' | 'ann' | 'bob' | 'refused';
  gains: 'address' | 'account' | 'nothing';
}

function decide(account: Account, address: Address, seen: { verified: boolean; authoritative: boolean }): Outcome {
  const identity: SocialIdentity & { connection: null } = {
    subject: '7',
    email: 'ann@example.com',
    emailVerified: seen.verified,
    emailAuthoritative: seen.verified && seen.authoritative,
    displayName: null,
    username: null,
    photos: [],
    untold: [],
    tokens: null,
    connection: null,
  };
  const claims: Record<string, Claim> = { socialAccountId: ACCOUNTS[account], email: ADDRESSES[address] };
  const shown = admittedIdentifiers(identifiersOf('google', identity));
  const held = shown.map(({ strength, key }) => ({ strength, claim: claims[key.kind]! }));
  const { main, others } = resolveProof(held);
  const { userId, candidates } = held[main]!.claim;
  // As `UserIdentities.ensure` does: several users are never guessed between.
  const users = new Set([...(userId ? [userId] : []), ...candidates]);
  if (users.size > 1) return { user: 'refused', gains: 'nothing' };
  const gained = others.map((place) => shown[place]!.key.kind);
  return {
    user: ([...users][0] ?? 'nobody yet') as Outcome['user'],
    gains: gained.includes('email') ? 'address' : gained.length > 0 ? 'account' : 'nothing',
  };
}

/** Without a word that counts, the address makes no difference to anything. */
const BY_ACCOUNT: Record<Account, Outcome> = {
  unknown: { user: 'nobody yet', gains: 'nothing' },
  'of Ann': { user: 'ann', gains: 'nothing' },
  'given to Ann': { user: 'ann', gains: 'nothing' },
};

const VOUCHED: [Account, Address, Outcome['user'], Outcome['gains']][] = [
  ['unknown', 'free', 'nobody yet', 'address'],
  ['unknown', 'proven by Ann', 'ann', 'account'],
  ['unknown', 'proven by Bob', 'bob', 'account'],
  ['unknown', 'given to Ann', 'ann', 'account'],
  ['unknown', 'given to Bob', 'bob', 'account'],
  ['unknown', 'claimed for Bob', 'bob', 'account'],
  ['unknown', 'given to both', 'refused', 'nothing'],
  ['of Ann', 'free', 'ann', 'address'],
  ['of Ann', 'proven by Ann', 'ann', 'nothing'],
  ['of Ann', 'proven by Bob', 'ann', 'nothing'],
  ['of Ann', 'given to Ann', 'ann', 'address'],
  ['of Ann', 'given to Bob', 'ann', 'nothing'],
  ['of Ann', 'claimed for Bob', 'ann', 'nothing'],
  ['of Ann', 'given to both', 'ann', 'nothing'],
  ['given to Ann', 'free', 'ann', 'address'],
  ['given to Ann', 'proven by Ann', 'ann', 'nothing'],
  ['given to Ann', 'proven by Bob', 'ann', 'nothing'],
  ['given to Ann', 'given to Ann', 'ann', 'address'],
  ['given to Ann', 'given to Bob', 'ann', 'nothing'],
  ['given to Ann', 'claimed for Bob', 'ann', 'nothing'],
  ['given to Ann', 'given to both', 'ann', 'nothing'],
];

const UNTRUSTED = [
  ['no authority, not verified', { verified: false, authoritative: false }],
  ['no authority, verified', { verified: true, authoritative: false }],
  ['an authority, not verified', { verified: false, authoritative: true }],
] as const;

describe('an account at a provider and its address', () => {
  it.each(VOUCHED)('of an authority that verified it: account %s, address %s: %s, who gains %s', (...row) => {
    const [account, address, user, gains] = row;
    expect(decide(account, address, { verified: true, authoritative: true })).toEqual({ user, gains });
  });

  describe.each(UNTRUSTED)('of %s', (_, seen) => {
    const rows = Object.keys(ACCOUNTS).flatMap((account) =>
      Object.keys(ADDRESSES).map((address) => [account as Account, address as Address] as const),
    );
    it.each(rows)('account %s, address %s: the account alone decides', (account, address) => {
      expect(decide(account, address, seen)).toEqual(BY_ACCOUNT[account]);
    });
  });

  it('is decided as docs/social-accounts.md says, row by row', () => {
    const page = readFileSync(new URL('../../../../docs/social-accounts.md', import.meta.url), 'utf8');
    const words = page.replaceAll(/ +/g, ' ');
    for (const row of VOUCHED) expect(words).toContain(`| ${row.join(' | ')} |`);
    for (const [account, { user, gains }] of Object.entries(BY_ACCOUNT)) {
      expect(words).toContain(`| ${account} | ${user} | ${gains} |`);
    }
    expect(page.match(/^\| (?!account|-)/gm)).toHaveLength(VOUCHED.length + Object.keys(BY_ACCOUNT).length);
  });

  it('refuses an account that API calls gave to two users, whoever has the address', () => {
    const shown: HeldIdentifier[] = [
      { strength: 'proven', claim: givenTo('ann', 'bob') },
      { strength: 'vouched', claim: provenBy('ann') },
    ];
    expect(resolveProof(shown)).toEqual({ main: 0, others: [] });
  });
});

describe('several identifiers that are proven', () => {
  const proven = (claim: Claim): HeldIdentifier => ({ strength: 'proven', claim });

  it('must be of one user', () => {
    expect(() => resolveProof([proven(provenBy('ann')), proven(provenBy('bob'))])).toThrow(
      expect.objectContaining({ code: 'ambiguous_identifier' }),
    );
  });

  it('give the user of the one that is known the others', () => {
    expect(resolveProof([proven(nobodys), proven(provenBy('ann'))])).toEqual({ main: 1, others: [0] });
    expect(resolveProof([proven(provenBy('ann')), proven(nobodys)])).toEqual({ main: 0, others: [1] });
    expect(resolveProof([proven(nobodys)])).toEqual({ main: 0, others: [] });
  });
});
