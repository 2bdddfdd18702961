import { describe, expect, it } from '@jest/globals';
import { fullUserOf, type UserRow } from './full-user.js';

const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));
const row = (given: object): UserRow => {
  const blank: object = {
    id: 'u',
    projectEnvironmentId: 'e',
    createdAt: at(0),
    updatedAt: at(0),
    firstVisit: null,
    lastVisit: null,
    verifiedCredentials: [],
    askedFields: null,
  };
  return { ...blank, ...given } as UserRow;
};
const wallet = (address: string, lastSelectedAt: string | null = null): object => ({
  id: address,
  format: 'blockchain',
  signInEnabled: true,
  address,
  chain: 'SOL',
  wallet_name: `name of ${address}`,
  lastSelectedAt,
});

describe('a user as it is read', () => {
  it('leaves out what has no value', () => {
    expect(fullUserOf(row({ alias: null, country: null, team: 'blue' }))).toEqual({
      id: 'u',
      projectEnvironmentId: 'e',
      createdAt: at(0),
      updatedAt: at(0),
      team: 'blue',
      newUser: true,
      verifiedCredentials: [],
      oauthAccounts: [],
      wallets: [],
      screeningChecks: [],
      mfaDevices: [],
    });
  });

  it.each([
    ['the first without a selection', [wallet('a'), wallet('b')], 'a'],
    ['the one selected last', [wallet('a', '2026-01-01T00:00:00Z'), wallet('b', '2026-01-02T00:00:00Z')], 'b'],
    ['a selected one before the first', [wallet('a'), wallet('b', '2026-01-02T00:00:00Z'), wallet('c')], 'b'],
  ])('has as main wallet %s', (_case, verifiedCredentials, address) => {
    const user = fullUserOf(row({ verifiedCredentials }));
    expect(user).toMatchObject({ walletPublicKey: address, wallet: `name of ${address}`, chain: 'SOL' });
  });

  it('has no main wallet without wallets', () => {
    const email = { id: 'c', format: 'email', signInEnabled: true, address: null };
    expect(fullUserOf(row({ verifiedCredentials: [email] }))).not.toHaveProperty('walletPublicKey');
  });

  it.each([
    ['its user name', { oauth_username: 'ada', oauth_display_name: 'Ada' }, 'ada'],
    ['its display name, if it has no other', { oauth_username: null, oauth_display_name: 'Ada' }, 'Ada'],
    ['its id, if it has neither', {}, '4711'],
  ])('has as label of a social account %s', (_case, names, label) => {
    const account = { id: 'c', format: 'oauth', signInEnabled: true, oauth_account_id: '4711', ...names };
    const [shown] = fullUserOf(
      row({ verifiedCredentials: [{ ...account, public_identifier: '4711' }] }),
    ).verifiedCredentials;
    expect(shown).toMatchObject({ public_identifier: label, oauth_account_id: '4711' });
  });

  it('has with the credential of an embedded wallet what is known of the wallet now', () => {
    const made = { version: 'V3', thresholdSignatureScheme: 'TWO_OF_TWO' };
    const now = { version: 'V3', thresholdSignatureScheme: 'TWO_OF_THREE', keyvaultPrivateKeyId: null };
    const credential = { ...wallet('a'), wallet_properties: made, embedded_wallet_id: 'w' };
    const other = { ...wallet('b'), wallet_properties: made, embedded_wallet_id: 'gone' };
    const wallets = [{ id: 'w', name: 'n', chain: 'SOL', publicKey: 'a', provider: 'embeddedWallet', properties: now }];
    const { verifiedCredentials } = fullUserOf(row({ verifiedCredentials: [credential, other], wallets }));
    expect(verifiedCredentials.map((one) => one.wallet_properties)).toEqual([
      { version: 'V3', thresholdSignatureScheme: 'TWO_OF_THREE' },
      made,
    ]);
  });

  it('lists the social accounts among its credentials', () => {
    const account = { id: 'c', format: 'oauth', signInEnabled: true, oauth_provider: 'github', oauth_username: null };
    const { oauthAccounts } = fullUserOf(row({ verifiedCredentials: [account, wallet('a')] }));
    expect(oauthAccounts).toEqual([{ id: 'c', provider: 'github', accountUsername: undefined }]);
  });

  it.each([
    [null, null, true],
    [at(1), at(1), true],
    [at(1), at(2), false],
  ])('with visits from %s to %s is new: %s', (firstVisit, lastVisit, newUser) => {
    expect(fullUserOf(row({ firstVisit, lastVisit })).newUser).toBe(newUser);
  });

  it('has dates where JSON had text', () => {
    const verified = { id: 'c', format: 'email', signInEnabled: true, verifiedAt: '2026-01-01T01:00:00+00:00' };
    const session = { id: 's', createdAt: '2026-01-01T02:00:00+00:00', revokedAt: null };
    const user = fullUserOf(row({ verifiedCredentials: [verified], sessions: [session] }));
    expect(user.verifiedCredentials[0]?.verifiedAt).toEqual(at(1));
    expect(user.sessions).toEqual([{ id: 's', createdAt: at(2) }]);
  });
});
