import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import {
  EnvironmentSettingsReader,
  usableMfaMethods,
  type MfaMethod,
  type MfaSettings,
} from '../../environments/index.js';
import { mfaInvalidRequest } from './mfa.errors.js';

/** What an environment says about second factors. */
export interface Policy {
  isRequired: boolean;
  /** None while second factors are off. */
  methods: readonly MfaMethod[];
  /** Whose devices may be stood in for by a recovery code. */
  recoverable: readonly MfaMethod[];
}

export function policyOf(settings: MfaSettings | undefined): Policy {
  const methods = usableMfaMethods(settings);
  const stated = new Map(settings?.methods?.map((method) => [method.type, method]));
  return {
    isRequired: methods.length > 0 && settings?.required === true,
    methods,
    recoverable: methods.filter((type) => stated.get(type)?.allowBackupCodes !== false),
  };
}

@Injectable()
export class MfaPolicy {
  constructor(private readonly settings: EnvironmentSettingsReader) {}

  /** At most a second old. */
  async read(environmentId: EnvironmentId): Promise<Policy> {
    return policyOf((await this.settings.get(environmentId)).security.mfa);
  }

  /** @throws ApiError 422 `mfa_invalid_request` */
  async assertUsable(environmentId: EnvironmentId, method: MfaMethod): Promise<Policy> {
    const policy = await this.read(environmentId);
    if (!policy.methods.includes(method)) throw mfaInvalidRequest({ hint: NOT_USABLE });
    return policy;
  }
}

const NOT_USABLE = 'The environment does not have this kind of second factor enabled.';
