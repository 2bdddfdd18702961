import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sessionFixture } from './session.fixture.js';
import { credentialHashes, fullClaims, issuerOf, minifiedClaims, type ClaimsInput } from './token-claims.js';

const EMAIL = { id: 'b', format: 'email', email: 'ada@example.com', oauth_provider: null };
const WALLETS = [
  { id: 'z', format: 'blockchain', address: '0xA' },
  { id: 'a', format: 'blockchain', address: '0xB' },
];

const input = (changes: Partial<ClaimsInput> = {}): ClaimsInput => ({
  session: sessionFixture(),
  user: {
    id: sessionFixture().userId,
    verifiedCredentials: [EMAIL, ...WALLETS],
    lastVerifiedCredentialId: 'b',
    email: 'ada@example.com',
    username: 'ada',
    alias: 'Ada',
    firstName: 'Ada',
    lastName: 'Lovelace',
    phoneNumber: '+441632960001',
    btcWallet: 'bc1q',
    firstVisit: new Date('2025-01-01T00:00:00Z'),
    country: null,
    metadata: { plan: 'pro' },
  },
  scope: 'user:basic gold',
  lists: ['beta'],
  issuer: 'id.example.com/e',
  defaultAudience: 'https://id.example.com',
  kid: 'k1',
  ...changes,
});

describe('the small token', () => {
  it('says who, where, how, when and what for', () => {
    const session = sessionFixture();
    expect(minifiedClaims(input())).toEqual({
      kid: 'k1',
      aud: 'https://app.example.com',
      iss: 'id.example.com/e',
      sub: session.userId,
      sid: session.id,
      jti: session.tokenId,
      environment_id: session.environmentId,
      iat: 1767225600,
      exp: 1767226500,
      auth_time: 1767222000,
      amr: ['otp'],
      scope: 'user:basic gold',
      last_verified_credential_id: 'b',
      verifiedCredentialsHashes: credentialHashes([EMAIL, ...WALLETS]),
    });
  });

  it.each([
    ['when the person acted before it began', '2025-12-31T22:00:00Z', 1767218400],
    ['when it began, where the person acted no earlier', '2025-12-31T23:00:01Z', 1767222000],
  ])('says %s', (_, authenticatedAt, time) => {
    const session = sessionFixture({ authenticatedAt: new Date(authenticatedAt) });
    expect(minifiedClaims(input({ session }))['auth_time']).toBe(time);
  });

  it.each<[string, string | null, string, string]>([
    ['the one that the user is known by', 'b', 'a', 'b'],
    ['that of the session, where the one of the user is not known', null, 'a', 'a'],
    ['one that is there, where both have gone', 'gone', 'gone too', 'z'],
  ])('names as the last verified credential %s', (_, lastVerifiedCredentialId, credentialId, expected) => {
    const user = { ...input().user, lastVerifiedCredentialId };
    user.verifiedCredentials = [EMAIL, { ...WALLETS[0]!, verifiedAt: new Date() }, WALLETS[1]!];
    const claims = minifiedClaims(input({ user, session: sessionFixture({ credentialId }) }));
    expect(claims['last_verified_credential_id']).toBe(expected);
  });

  it('names nobody', () => {
    const text = JSON.stringify(minifiedClaims(input()));
    for (const fact of ['ada@', '"ada"', 'Ada', 'Lovelace', '+44', '0xA', 'bc1q', 'plan', '192.0.2.1']) {
      expect(text).not.toContain(fact);
    }
  });

  it('repeats the public key of the client', () => {
    const session = sessionFixture({ sessionPublicKey: '02ab' });
    expect(minifiedClaims(input({ session }))).toMatchObject({ session_public_key: '02ab' });
  });

  it('is for the service itself when the session began outside of a browser', () => {
    const session = sessionFixture({ audience: null });
    expect(minifiedClaims(input({ session }))['aud']).toBe('https://id.example.com');
  });
});

describe('the full token', () => {
  it('is the small one and the profile, without what is not there', () => {
    const claims = fullClaims(input());
    expect(claims).toMatchObject(minifiedClaims(input()));
    expect(claims).toMatchObject({
      email: 'ada@example.com',
      username: 'ada',
      given_name: 'Ada',
      family_name: 'Lovelace',
      phone_number: '+441632960001',
      btc_wallet: 'bc1q',
      metadata: { plan: 'pro' },
      lists: ['beta'],
      missing_fields: [],
      new_user: false,
    });
    expect(claims).not.toHaveProperty('country');
    expect(claims['verified_credentials']).toEqual([
      { id: 'b', format: 'email', email: 'ada@example.com' },
      ...WALLETS,
    ]);
  });

  describe('about wallets', () => {
    const wallet = (id: string, selectedAt?: number) => ({
      ...{ id, format: 'blockchain', address: `0x${id}`, chain: 'eip155', verifiedAt: new Date() },
      ...{ wallet_name: 'w', wallet_provider: 'browserExtension' },
      ...(selectedAt !== undefined && { lastSelectedAt: new Date(selectedAt) }),
    });
    const told = (lastVerifiedCredentialId: string, ...wallets: object[]) =>
      fullClaims(
        input({
          user: { ...input().user, verifiedCredentials: [EMAIL, ...wallets], lastVerifiedCredentialId } as never,
        }),
      );

    it('names the one selected last, or the first', () => {
      expect(told('b', wallet('x', 1), wallet('y', 2))).toMatchObject({ verified_account: { id: 'y' } });
      const { verified_account } = told('b', wallet('x'), wallet('y'));
      expect(JSON.parse(JSON.stringify(verified_account))).toEqual({
        ...{ id: 'x', address: '0xx', chain: 'eip155', wallet_name: 'w', wallet_provider: 'browserExtension' },
      });
    });

    it('names none that is neither proven nor kept here', () => {
      const { verifiedAt: _, ...unproven } = wallet('u', 3);
      expect(told('b', unproven, wallet('x', 1))).toMatchObject({ verified_account: { id: 'x' } });
      expect(told('b', unproven)).not.toHaveProperty('verified_account');
      const kept = { ...unproven, embedded_wallet_id: 'e' };
      expect(told('b', kept, wallet('x', 1))).toMatchObject({ verified_account: { id: 'u' } });
    });

    it('names the one that was proven last, if a wallet was', () => {
      expect(told('x', wallet('x', 1), wallet('y', 2))).toMatchObject({ last_authenticated_account_id: 'x' });
      expect(told('b', wallet('x', 1))).not.toHaveProperty('last_authenticated_account_id');
    });
  });

  it('names what is missing, without rules that would not fit into a header', () => {
    const validOptions = Array.from({ length: 200 }, () => ({ label: 'x'.repeat(255) }));
    const missingFields = [{ name: 'size', required: true, validationRules: { validOptions } }];
    const claims = fullClaims(input({ user: { ...input().user, missingFields } }));
    expect(JSON.parse(JSON.stringify(claims['missing_fields']))).toEqual([{ name: 'size', required: true }]);
  });

  it('is the same text for the same facts', () => {
    expect(JSON.stringify(fullClaims(input()))).toBe(JSON.stringify(fullClaims(input())));
  });
});

describe('hashes of credentials', () => {
  it('are one for each format, over the sorted ids', () => {
    const sha = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(credentialHashes([EMAIL, ...WALLETS])).toEqual({ blockchain: sha('az'), email: sha('b') });
    expect(credentialHashes([...WALLETS].reverse())).toEqual(credentialHashes(WALLETS));
    expect(credentialHashes([])).toEqual({});
  });
});

describe('the issuer', () => {
  it('is the host of the API and the environment', () => {
    expect(issuerOf('https://id.example.com', 'e1')).toBe('id.example.com/e1');
    expect(issuerOf('http://localhost:3000', 'e1')).toBe('localhost:3000/e1');
  });
});
