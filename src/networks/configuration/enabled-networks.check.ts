import { Injectable } from '@nestjs/common';
import {
  SettingsCheck,
  SettingsChecks,
  type EnvironmentSettings,
  type FieldProblem,
} from '../../environments/index.js';
import { CHAINS } from '../catalogue/chains.js';
import { unknownNetworks } from './network-configuration.js';

/** Settings have one name for what requests may call ETH or EVM. */
const NAMES: readonly string[] = CHAINS.values.filter((name) => name !== 'ETH');

/** Reports an enabled network that no catalogue has, since clients never see it, and a chain that has another name. */
@Injectable()
export class EnabledNetworksCheck extends SettingsCheck {
  constructor(checks: SettingsChecks) {
    super();
    checks.register(this);
  }

  /** Identified by chain and number, so that an entry that moves within its list stays the same. */
  override problemsIn({ chains, sdk }: EnvironmentSettings): FieldProblem[] {
    return [
      ...unknownNetworks(chains).map(({ chain, networkId }) => ({
        path: 'chains',
        message: `${chain} has no network ${networkId} here: one of the organization has the type custom`,
      })),
      ...unknownChains('chains', chains),
      ...unknownChains('sdk.embeddedWallets.chainConfigurations', sdk.embeddedWallets?.chainConfigurations),
    ];
  }
}

/** Names are compared as they are written: `evm` and `ETH` enable nothing. */
const unknownChains = (path: string, chains: readonly { name: string; enabled: boolean }[] = []): FieldProblem[] =>
  chains
    .filter(({ name, enabled }) => enabled && !NAMES.includes(name))
    .map(({ name }) => ({ path, message: `no chain is called ${name} here: the names are ${NAMES.join(', ')}` }));
