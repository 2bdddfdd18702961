import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { mintEnvironmentId } from '../../src/auth/index.js';
import { EnvironmentSettingsReader } from '../../src/environments/index.js';
import { rowsOf } from './rows.js';
import type { World } from './world.js';

/** The test site, registered by `addSite`. */
export const SITE = 'https://app.example.com';
/** A network enabled in new sandboxes. */
export const NETWORK = 11_155_111;

export interface MessageParts {
  account: string;
  address: string;
  nonce: string;
  domain: string;
  uri: string;
  version: string;
  chainId: string | null;
  issuedAt: Date;
  expirationTime: Date | null;
  notBefore: Date | null;
}

/** Allows the test site to sign people in. */
export const addSite = (world: World, origin = SITE): Promise<unknown> =>
  world.api.post(world.path('/origins'), { origin }, { expect: 201 });

export async function newNonce(world: World, environmentId?: string): Promise<string> {
  const { body } = await world.anonymous.get<{ nonce: string }>(world.sdk('/nonce', environmentId), { expect: 200 });
  return body.nonce;
}

/** An EIP-4361 message for any chain, with whatever a test wants to be wrong. */
export function messageOf(parts: Partial<MessageParts> & Pick<MessageParts, 'address' | 'nonce'>): string {
  const {
    account = 'Ethereum',
    domain = 'app.example.com',
    uri = SITE,
    version = '1',
    chainId = String(NETWORK),
    issuedAt = new Date(),
    expirationTime,
    notBefore,
    address,
    nonce,
  } = parts;
  return [
    `${domain} wants you to sign in with your ${account} account:`,
    ...[address, '', 'Welcome.', ''],
    `URI: ${uri}`,
    `Version: ${version}`,
    ...(chainId === null ? [] : [`Chain ID: ${chainId}`]),
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    ...(expirationTime ? [`Expiration Time: ${expirationTime.toISOString()}`] : []),
    ...(notBefore ? [`Not Before: ${notBefore.toISOString()}`] : []),
  ].join('\n');
}

/** The body of a sign-in with an EVM key, with a message made by viem. */
export async function keySignIn(world: World, key = newKey()): Promise<Record<string, unknown>> {
  const message = createSiweMessage({
    address: key.address,
    chainId: NETWORK,
    domain: 'app.example.com',
    nonce: await newNonce(world),
    uri: SITE,
    version: '1',
  });
  return claimOf(key.address, message, await key.signMessage({ message }));
}

export const newKey = () => privateKeyToAccount(generatePrivateKey());

export const claimOf = (address: string, messageToSign: string, signedMessage: string, chain = 'EVM') => ({
  messageToSign,
  signedMessage,
  publicWalletAddress: address,
  chain,
  walletName: 'metamask',
  walletProvider: 'browserExtension',
});

/** Enables chains, optionally with networks, as the dashboard's settings do. */
export async function enableChains(world: World, chains: Record<string, number[]>): Promise<void> {
  const settings = Object.entries(chains).map(([name, networks]) => ({
    name,
    enabled: true,
    networks: networks.map((networkId) => ({ networkId, chainName: name, enabled: true, type: 'default' })),
  }));
  await rowsOf(
    world.test,
    `UPDATE environment_settings SET settings = jsonb_set(settings::jsonb, '{chains}', $2::jsonb) WHERE environment_id = $1`,
    [world.environmentId, JSON.stringify(settings)],
  );
  world.test.app.get(EnvironmentSettingsReader).forget(mintEnvironmentId(world.environmentId));
}
