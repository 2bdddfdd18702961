import { Injectable } from '@nestjs/common';
import {
  SettingsCheck,
  SettingsChecks,
  type EnvironmentSettings,
  type FieldProblem,
} from '../../environments/index.js';
import { unknownNetworks } from './network-configuration.js';

/** Reports an enabled network that no catalogue has, since clients never see it. */
@Injectable()
export class EnabledNetworksCheck extends SettingsCheck {
  constructor(checks: SettingsChecks) {
    super();
    checks.register(this);
  }

  /** Identified by chain and number, so that an entry that moves within its list stays the same. */
  override problemsIn({ chains }: EnvironmentSettings): FieldProblem[] {
    return unknownNetworks(chains).map(({ chain, networkId }) => ({
      path: 'chains',
      message: `${chain} has no network ${networkId} here: one of the organization has the type custom`,
    }));
  }
}
