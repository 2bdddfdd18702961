import { Injectable } from '@nestjs/common';
import { getAddress, isAddress } from 'viem';
import type { EnvironmentId } from '../auth/index.js';
import { EnvironmentSettingsReader } from '../environments/index.js';
import { findCatalogued } from './catalogue/chain-catalogue.js';
import { chainNotSupported, invalidAccountAddress, unknownNetwork } from './chain.errors.js';
import type { NetworkRef } from './rpc/chain-reader.js';
import { RpcNetworks } from './rpc/rpc-networks.js';
import { isSolanaAddress } from './tokens/token-list.js';

/** How a network is queried. */
export type AccountFamily = 'evm' | 'solana' | 'sui' | 'bitcoin';

/** A network whose accounts can be looked up. */
export interface AccountNetwork extends NetworkRef {
  family: AccountFamily;
  /** CAIP-2, where the namespace has one for the network. */
  caip2: string;
  isTestnet: boolean;
  name: string;
  nativeSymbol: string;
  nativeDecimals: number;
  /** Whether the catalogue has it for the network. An organization may call the currency of its own network anything. */
  isNativeKnown: boolean;
  explorerUrl: string | null;
  /** At most two. */
  urls: readonly string[];
}

const FAMILIES: Readonly<Record<string, AccountFamily>> = {
  EVM: 'evm',
  ETH: 'evm',
  SOL: 'solana',
  ECLIPSE: 'solana',
  SUI: 'sui',
  BTC: 'bitcoin',
};

/** Whether accounts on the chain are looked up here. */
export const areAccountsRead = (chain: string): boolean => Object.hasOwn(FAMILIES, chain);

/** The caller names the chain, so the name may be that of an inherited object property. @throws chainNotSupported */
function familyOf(chain: string): AccountFamily {
  if (!areAccountsRead(chain)) throw chainNotSupported();
  return FAMILIES[chain]!;
}

const BASE58 = /^[13mn2][1-9A-HJ-NP-Za-km-z]{25,39}$/;
/** BIP-173: all upper or all lower case, such as in QR codes. */
const BECH32 = /^(?:(?:bc|tb|bcrt)1[a-z0-9]{6,87}|(?:BC|TB|BCRT)1[A-Z0-9]{6,87})$/;

const FORMS: Record<AccountFamily, (address: string) => string | null> = {
  evm: (address) => (isAddress(address, { strict: false }) ? getAddress(address) : null),
  solana: (address) => (isSolanaAddress(address) ? address : null),
  sui: (address) => (/^0x[0-9a-f]{64}$/i.test(address) ? address.toLowerCase() : null),
  bitcoin: (address) => (BASE58.test(address) ? address : BECH32.test(address) ? address.toLowerCase() : null),
};

/** The networks of an environment, for requests about accounts on them. */
@Injectable()
export class AccountNetworks {
  constructor(
    private readonly readable: RpcNetworks,
    private readonly settings: EnvironmentSettingsReader,
  ) {}

  /** @throws chainNotSupported, unknownNetwork */
  async get(environmentId: EnvironmentId, { chain, networkId }: NetworkRef): Promise<AccountNetwork> {
    const family = familyOf(chain);
    const name = chain === 'ETH' ? 'EVM' : chain;
    const listed = findCatalogued(name, networkId);
    const known = {
      chain: name,
      networkId,
      family,
      caip2: listed?.caip2 ?? `${family === 'evm' ? 'eip155' : name.toLowerCase()}:${networkId}`,
      isTestnet: listed?.isTestnet ?? false,
      explorerUrl: listed?.explorerUrl ?? null,
    };
    const network = await this.readable.findAsked(environmentId, { chain, networkId });
    if (!network) throw unknownNetwork();
    const isNativeKnown = network.nativeSymbol === listed?.currency.symbol;
    return { ...network, ...known, isNativeKnown, explorerUrl: network.explorerUrl ?? known.explorerUrl };
  }

  /** The networks of a chain that the settings enable, in order. @throws chainNotSupported, unknownNetwork */
  async enabled(environmentId: EnvironmentId, chain: string): Promise<number[]> {
    familyOf(chain);
    const name = chain === 'ETH' ? 'EVM' : chain;
    const { chains } = await this.settings.get(environmentId);
    const own = chains.find((each) => each.enabled && each.name === name)?.networks ?? [];
    const ids = own.filter(({ enabled }) => enabled).map(({ networkId }) => networkId);
    if (ids.length === 0) throw unknownNetwork();
    return ids;
  }
}

/** An address in the service's canonical form. @throws chainNotSupported, invalidAccountAddress */
export function accountAddress(chain: string, address: string): string {
  const found = FORMS[familyOf(chain)](address);
  if (found === null) throw invalidAccountAddress();
  return found;
}
