import { createSiweMessage } from 'viem/siwe';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { newNonce, nonceHash } from '../../src/identity/nonces/nonce-value.js';
import type { LoadRequest } from '../load/load-job.js';
import { withClient } from '../stack/postgres.js';
import { doorRequest, SITE, type Door, type Place } from './door.js';

/** Ethereum mainnet, which is enabled in a live environment. */
const NETWORK = 1;

const PLANT = `
  INSERT INTO nonces (environment_id, nonce_hash, expires_at)
  SELECT $1, hash, now() + interval '1 day' FROM unnest($2::bytea[]) AS hash`;

/** EVM keys that sign EIP-4361 messages, in viem's format. */
export class WalletDoor implements Door {
  readonly row = 'sign-in with a wallet';
  readonly begunPerMs = 1;
  readonly opensAccounts = true;
  private readonly keys;

  constructor(people: number) {
    this.keys = Array.from({ length: people }, () => privateKeyToAccount(generatePrivateKey()));
  }

  async begun({ databaseUrl, environmentId }: Place, count: number): Promise<LoadRequest[]> {
    const nonces = Array.from({ length: count }, newNonce);
    await withClient(databaseUrl, (client) => client.query(PLANT, [environmentId, nonces.map(nonceHash)]));
    return Promise.all(nonces.map((nonce, index) => this.request(environmentId, nonce, index)));
  }

  private async request(environmentId: string, nonce: string, index: number): Promise<LoadRequest> {
    const key = this.keys[index % this.keys.length]!;
    const place = { domain: new URL(SITE).host, uri: SITE, chainId: NETWORK, version: '1' } as const;
    const message = createSiweMessage({ ...place, address: key.address, nonce });
    return doorRequest(environmentId, 'verify', {
      ...{ messageToSign: message, signedMessage: await key.signMessage({ message }) },
      ...{ publicWalletAddress: key.address, chain: 'EVM' },
      ...{ walletName: 'metamask', walletProvider: 'browserExtension' },
    });
  }
}
