import { Injectable } from '@nestjs/common';
import {
  SettingsCheck,
  SettingsChecks,
  type EnvironmentSettings,
  type FieldProblem,
} from '../../environments/index.js';
import { unknownNetworks } from './network-configuration.js';

/** An enabled network that is in no catalogue is told to no client: whoever enables it hears of that. */
@Injectable()
export class EnabledNetworksCheck extends SettingsCheck {
  constructor(checks: SettingsChecks) {
    super();
    checks.register(this);
  }

  /** Named by chain and number, so that an entry that moves in its list is the same as before. */
  override problemsIn({ chains }: EnvironmentSettings): FieldProblem[] {
    return unknownNetworks(chains).map(({ chain, networkId }) => ({
      path: 'chains',
      message: `${chain} has no network ${networkId} here: one of the organization has the type custom`,
    }));
  }
}
