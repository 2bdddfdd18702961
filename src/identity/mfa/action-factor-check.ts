import { Injectable } from '@nestjs/common';
import {
  ActionFactors,
  COMPLETE_SCOPE,
  mfaTokenRequired,
  type EndUserPrincipal,
  type GuardedAction,
} from '../../auth/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { MfaPolicy } from './mfa-policy.js';
import { MfaTokens } from './mfa-tokens.js';

/**
 * Requires a second factor for actions named in the settings: from users with a device, and from everybody if the
 * environment requires one. The settings are cached, so other actions cost no statement.
 */
@Injectable()
export class ActionFactorCheck extends ActionFactors {
  constructor(
    private readonly policy: MfaPolicy,
    private readonly devices: MfaDevicesRepository,
    private readonly tokens: MfaTokens,
    private readonly work: UnitOfWork,
  ) {
    super();
  }

  override async assertGiven(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    action: GuardedAction,
    token: string | null,
  ): Promise<void> {
    const { actions, isRequired, methods } = await this.policy.read(environmentId);
    if (!actions.includes(action)) return;
    // A partial session can only finish its sign-in and reaches no action otherwise.
    if (!caller.scopes.includes(COMPLETE_SCOPE)) return;
    if (!isRequired) {
      const devices = await this.devices.listOf(environmentId, caller.userId);
      if (!devices.some(({ type, verifiedAt }) => verifiedAt && methods.includes(type))) return;
    }
    if (token === null) throw mfaTokenRequired();
    const isGood = await this.work.run((tx) => this.tokens.take(environmentId, caller, token, action, tx));
    if (!isGood) throw mfaTokenRequired();
  }

  override async assertGivenBeside(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { action, operation }: { readonly action: GuardedAction; readonly operation: GuardedAction },
    token: string | null,
  ): Promise<void> {
    const { actions } = await this.policy.read(environmentId);
    if (!actions.includes(operation)) await this.assertGiven(environmentId, caller, action, token);
  }
}
