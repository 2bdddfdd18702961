import { describe, expect, it } from '@jest/globals';
import { identifierKeyOf } from '../credentials/identifier-key.js';
import { newUserOf } from './new-user.js';

const verifiedAt = new Date('2026-01-02T03:04:05Z');

describe('a user that a request describes', () => {
  it('may sign in with an email that the caller vouches for, and not with another', () => {
    const [vouched] = newUserOf({ email: 'ana@example.com', emailVerifiedAt: verifiedAt }).credentials;
    expect(vouched).toMatchObject({ format: 'email', email: 'ana@example.com', verifiedAt, signInEnabled: true });
    const [asserted] = newUserOf({ email: 'ana@example.com' }).credentials;
    expect(asserted).toMatchObject({ format: 'email', verifiedAt: null, signInEnabled: false });
  });

  it.each([undefined, ''])('has no credential for the email %j', (email) => {
    expect(newUserOf({ email, emailVerifiedAt: verifiedAt })).toEqual({
      profile: { email: null },
      credentials: [],
      wallets: [],
    });
  });

  it('keeps its email as it was given', () => {
    expect(newUserOf({ email: 'Ana@Example.com', alias: 'Ana' }).profile).toEqual({
      alias: 'Ana',
      email: 'Ana@Example.com',
    });
  });

  it('is found by its email, in whichever form of Unicode that was given', () => {
    const given = 'E\u0301va@bu\u0308cher.example';
    const { profile, credentials } = newUserOf({ email: given });
    expect(profile.email).toBe('\u00c9va@b\u00fccher.example');
    const known = identifierKeyOf({ kind: 'email', value: '\u00e9va@b\u00fccher.example' });
    expect(known.spellings).toContain(credentials[0]!.email!.toLowerCase());
    const claimed = identifierKeyOf({ kind: 'email', value: given });
    expect(known.spellings).toContain(claimed.credential.email!.toLowerCase());
  });

  it('has social accounts that the caller vouches for but nobody verified', () => {
    const account = { provider: 'google' as const, accountId: '77', emails: ['b@example.com', ''], profile: { a: 1 } };
    expect(newUserOf({ oauthAccounts: [account] }).credentials[0]).toMatchObject({
      format: 'oauth',
      oauthProvider: 'google',
      oauthAccountId: '77',
      oauthEmails: ['b@example.com'],
      oauthMetadata: { a: 1 },
      publicIdentifier: '77',
    });
    expect(newUserOf({ oauthAccounts: [account] }).credentials[0]).not.toHaveProperty('verifiedAt');
  });

  it('has wallets whose credentials refer to them', () => {
    const wallet = { publicWalletAddress: '0xabc', chain: 'EVM', walletName: 'm', walletProvider: 'qrCode' } as const;
    const other = { ...wallet, publicWalletAddress: '0xdef' };
    const { wallets, credentials } = newUserOf({ wallets: [wallet, other], email: 'ana@example.com' });
    expect(wallets).toHaveLength(2);
    expect(credentials.slice(1).map(({ id, walletId }) => [id, walletId])).toEqual(
      wallets.map(({ id, credentialId }) => [credentialId, id]),
    );
    expect(credentials.map(({ id }) => id)).toEqual(credentials.map(({ id }) => id).sort());
  });

  it('has a wallet and an account once, whose key is the same in every spelling', () => {
    const wallet = (publicWalletAddress: string, chain: 'EVM' | 'ETH' | 'SOL') =>
      ({ publicWalletAddress, chain, walletName: 'm', walletProvider: 'qrCode' }) as const;
    const { wallets, credentials } = newUserOf({
      wallets: [
        wallet('0xAb', 'EVM'),
        wallet('0xab', 'EVM'),
        wallet('0xAB', 'ETH'),
        wallet('Ab', 'SOL'),
        wallet('AB', 'SOL'),
      ],
      oauthAccounts: [
        { provider: 'google', accountId: 'a7', username: 'first' },
        { provider: 'google', accountId: 'a7', username: 'second' },
        { provider: 'google', accountId: 'A7' },
        { provider: 'github', accountId: 'a7' },
      ],
    });
    expect(wallets.map(({ address }) => address)).toEqual(['0xAb', 'Ab', 'AB']);
    expect(credentials.map(({ format, publicIdentifier }) => `${format} ${publicIdentifier}`)).toEqual([
      ...['oauth first', 'oauth A7', 'oauth a7'],
      ...['blockchain 0xAb', 'blockchain Ab', 'blockchain AB'],
    ]);
  });
});
