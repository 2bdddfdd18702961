import { mintEnvironmentId } from '../../src/auth/index.js';
import { EnvironmentSettingsReader } from '../../src/environments/index.js';
import { DeploymentNetworks } from '../../src/networks/rpc/deployment-networks.js';
import { rowsOf } from './rows.js';
import { customNetwork } from './surface/custom-network.js';
import type { World } from './world.js';

/** A tenant's nodes, by chain and network number. */
export type Nodes = Record<string, Record<number, string>>;

/** Enables networks of a chain with the tenant's own nodes. */
export async function useNodes(world: World, nodes: Nodes): Promise<void> {
  const chains = Object.entries(nodes).map(([name, networks]) => ({
    name,
    enabled: true,
    networks: Object.entries(networks).map(([number, rpcUrl]) => ({
      ...{ networkId: Number(number), chainName: name, enabled: true, type: 'default', rpcUrl },
    })),
  }));
  await rowsOf(
    world.test,
    `UPDATE environment_settings SET settings = jsonb_set(settings::jsonb, '{chains}', $2::jsonb) WHERE environment_id = $1`,
    [world.environmentId, JSON.stringify(chains)],
  );
  world.test.app.get(EnvironmentSettingsReader).forget(mintEnvironmentId(world.environmentId));
}

/** Makes the deployment itself read EVM network 1 from a node. */
export function trustNode({ test }: World, url: string): void {
  const network = { key: `trusted ${url}`, family: 'evm' as const, name: 'Ethereum', identity: '0x1', urls: [url] };
  test.app.get(DeploymentNetworks, { strict: false }).find = async () => ({
    ...network,
    nativeDecimals: 18,
    nativeSymbol: 'ETH',
  });
}

const COINS = {
  EVM: {},
  SOL: { nativeCurrencySymbol: 'SOL', nativeCurrencyDecimals: 9 },
  BTC: { nativeCurrencySymbol: 'tBTC', nativeCurrencyDecimals: 8 },
};

/** Adds a network of the organization. */
export async function addNetwork(
  world: World,
  networkType: keyof typeof COINS,
  networkId: number,
  rpcUrl: string,
): Promise<void> {
  const network = {
    ...customNetwork('chains'),
    ...COINS[networkType],
    networkType,
    chainId: String(networkId),
    rpcUrl,
  };
  await world.owner.post(`/organizations/${world.ids.organizationId}/customNetworks`, network, { expect: 201 });
}
