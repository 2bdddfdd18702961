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
 * A second factor for an action that the settings name: of those who have a device, and of everybody where everybody
 * must have one. The settings are remembered, so an action that they do not name costs no statement.
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
    // A session that is still partial finishes its sign-in; it reaches no action otherwise.
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
