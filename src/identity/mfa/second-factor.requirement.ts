import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import {
  AssuranceRequirement,
  AssuranceRequirements,
  type AssuranceSubject,
  type Outstanding,
} from '../assurance/requirements.js';
import { hasSecondFactor } from './factors.js';
import { MfaPolicy } from './mfa-policy.js';

/**
 * A second factor is due if the user has a device of an enabled kind, or the environment requires one of everybody. The
 * settings are cached and the devices come with the user: no statement.
 */
@Injectable()
export class SecondFactorRequirement extends AssuranceRequirement implements OnModuleInit {
  readonly scope = 'requiresAdditionalAuth';

  constructor(
    private readonly requirements: AssuranceRequirements,
    private readonly policy: MfaPolicy,
  ) {
    super();
  }

  onModuleInit(): void {
    this.requirements.register(this);
  }

  override async outstanding({ environmentId, user, session }: AssuranceSubject): Promise<Outstanding | null> {
    const { isRequired, methods } = await this.policy.read(environmentId);
    if (methods.length === 0 || hasSecondFactor(session.amr)) return null;
    return isRequired || user.mfaDevices.some(({ type }) => type && methods.includes(type)) ? {} : null;
  }

  /** A user without a device gives a code sent to a proven address. */
  override async isTakenByMail(environmentId: EnvironmentId): Promise<boolean> {
    const { isRequired, methods } = await this.policy.read(environmentId);
    return isRequired && methods.includes('email');
  }
}
