import { Injectable } from '@nestjs/common';
import {
  SettingsCheck,
  SettingsChecks,
  type ChainNetworkSettings,
  type EnvironmentSettings,
  type FieldProblem,
} from '../../environments/index.js';
import { areAccountsRead } from '../account-networks.js';

const PICTURE = /^https?:\/\//;

/** Reports a node that the service would never ask, which leaves the public one, and a picture at no web address. */
@Injectable()
export class NetworkAddressesCheck extends SettingsCheck {
  constructor(private readonly checks: SettingsChecks) {
    super();
    checks.register(this);
  }

  /** Identified by chain and number, so that an entry that moves within its list stays the same. */
  override problemsIn({ chains }: EnvironmentSettings): FieldProblem[] {
    return chains.flatMap(({ name, networks = [] }) =>
      networks.flatMap((network) =>
        [this.nodeProblem(name, network), pictureProblem(network)].flatMap((problem) =>
          problem === null ? [] : [{ path: 'chains', message: `network ${network.networkId} of ${name}: ${problem}` }],
        ),
      ),
    );
  }

  /** Nodes of other chains are asked by applications only. */
  private nodeProblem(chain: string, { rpcUrl }: ChainNetworkSettings): string | null {
    if (!rpcUrl || !areAccountsRead(chain)) return null;
    const verdict = this.checks.policy.checkUrl(rpcUrl);
    return verdict.allowed ? null : `the service cannot ask the node at rpcUrl. ${verdict.message}`;
  }
}

const pictureProblem = ({ iconUrl }: ChainNetworkSettings): string | null =>
  !iconUrl || PICTURE.test(iconUrl) ? null : 'iconUrl must begin with https:// or http://';
