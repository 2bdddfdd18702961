import { decodeFunctionData, encodeAbiParameters, parseAbi, type Address } from 'viem';
import { RpcNode } from './rpc-node.js';
import { customNetwork } from './surface/custom-network.js';
import { addSite, newKey, newNonce, SITE } from './wallet-sign-in.js';
import type { World } from './world.js';

const REGISTRY = parseAbi(['function idOf(address owner) view returns (uint256)']);
const NETWORK = 10;

/** A node of OP Mainnet with the frame network's registry, which contains its custody accounts. */
export class FrameChain {
  private constructor(
    readonly node: RpcNode,
    readonly custody: Map<string, bigint>,
  ) {}

  static async start(): Promise<FrameChain> {
    const custody = new Map<string, bigint>();
    const node = await RpcNode.start(({ method, params }) => {
      if (method === 'eth_chainId') return { result: '0xa' };
      if (method === 'eth_getCode') return { result: '0x' };
      if (method !== 'eth_call') return { error: { code: -32601, message: 'no such method' } };
      const [{ data }] = params as [{ data: `0x${string}` }];
      const [owner] = decodeFunctionData({ abi: REGISTRY, data }).args;
      return { result: encodeAbiParameters([{ type: 'uint256' }], [custody.get(owner) ?? 0n]) };
    });
    return new FrameChain(node, custody);
  }

  /** Makes an environment read the chain from here. */
  async serve(world: World): Promise<void> {
    await addSite(world);
    const network = { ...customNetwork('frames'), chainId: String(NETWORK), rpcUrl: this.node.url };
    await world.owner.post(`/organizations/${world.ids.organizationId}/customNetworks`, network, { expect: 201 });
  }

  /** The key that holds an account. */
  holder(fid: bigint): ReturnType<typeof newKey> {
    const key = newKey();
    this.custody.set(key.address, fid);
    return key;
  }
}

/** Enables sign-in with the frame network in an environment. */
export async function enableFrames(world: World): Promise<void> {
  const made = await world.owner.post<{ id: string }>(
    world.path('/settings/providers'),
    { provider: 'farcaster' },
    { expect: 201 },
  );
  await world.owner.put(`/settings/providers/${made.body.id}/enable`, undefined, { expect: 200 });
}

export const frameText = (address: Address, nonce: string, fid: bigint, change: (text: string) => string = (t) => t) =>
  change(
    [
      'app.example.com wants you to sign in with your Ethereum account:',
      address,
      '',
      'Farcaster Auth',
      '',
      `URI: ${SITE}`,
      'Version: 1',
      'Chain ID: 10',
      `Nonce: ${nonce}`,
      `Issued At: ${new Date().toISOString()}`,
      'Resources:',
      `- farcaster://fid/${fid}`,
    ].join('\n'),
  );

/** The body of a sign-in, by the key that signs it. */
export async function frameSignIn(
  world: World,
  key: ReturnType<typeof newKey>,
  fid: bigint,
  change?: (text: string) => string,
): Promise<Record<string, string>> {
  const nonce = await newNonce(world);
  const message = frameText(key.address, nonce, fid, change);
  return {
    address: key.address,
    domain: 'app.example.com',
    nonce,
    message,
    signature: await key.signMessage({ message }),
  };
}
