import { describe, expect, it } from '@jest/globals';
import type { UserWallet } from '../../identity/index.js';
import { embeddedCredential } from './wallet-credential.js';
import { WALLET_CREATED, WALLET_DELETED, WALLET_LINKED, walletEvent } from './wallet.events.js';

const wallet: UserWallet = {
  id: '019a0000-0000-7000-8000-000000000001',
  name: 'Embedded wallet',
  chain: 'EVM',
  publicKey: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  provider: 'embeddedWallet',
  properties: { version: 'V1', claimed: false, derivationPath: "m/44'/60'/0'/0/0" },
};

describe('an event of a wallet', () => {
  it('tells the wallet as the API shows it, and whose it is', () => {
    const event = walletEvent(WALLET_CREATED, 'user-1', wallet);

    expect(event).toEqual({ event: WALLET_CREATED, resourceId: wallet.id, data: { ...wallet, userId: 'user-1' } });
  });

  it('tells nothing beyond the declared fields', () => {
    const wider = {
      ...wallet,
      sealedEntropy: 'secret',
      lastSelectedAt: null,
      properties: { ...wallet.properties, seed: 'secret' },
    };

    const { data } = walletEvent(WALLET_LINKED, 'user-1', wider as never);

    expect(JSON.stringify(data)).not.toMatch(/secret|sealedEntropy|lastSelectedAt/);
  });

  it('of a deletion cannot be asked for by name', () => {
    expect([WALLET_CREATED, WALLET_LINKED, WALLET_DELETED].map(({ name, selectable }) => [name, selectable])).toEqual([
      ['wallet.created', true],
      ['wallet.linked', true],
      ['wallet.deleted', false],
    ]);
  });
});

describe('the credential of an embedded wallet', () => {
  it('belongs to the wallet and signs nobody in', () => {
    expect(embeddedCredential(wallet)).toEqual({
      format: 'blockchain',
      signInEnabled: false,
      address: wallet.publicKey,
      publicIdentifier: wallet.publicKey,
      chain: 'EVM',
      walletId: wallet.id,
      walletName: 'Embedded wallet',
      walletProvider: 'embeddedWallet',
      walletProperties: wallet.properties,
    });
  });
});
