import { Injectable } from '@nestjs/common';
import { TenantDirectory } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import {
  EnvironmentSettingsReader,
  usableMfaMethods,
  type MfaAction,
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
  /** What a second factor has to be given for each time. */
  actions: readonly MfaAction[];
}

export function policyOf(settings: MfaSettings | undefined): Policy {
  const methods = usableMfaMethods(settings);
  const stated = new Map(settings?.methods?.map((method) => [method.type, method]));
  return {
    isRequired: methods.length > 0 && settings?.required === true,
    methods,
    recoverable: methods.filter((type) => stated.get(type)?.allowBackupCodes !== false),
    actions:
      methods.length === 0 ? [] : (settings?.actions ?? []).flatMap((each) => (each.required ? each.action : [])),
  };
}

/** Members may register whatever there is; which of it an organization wants, its own settings say. */
const METHODS: readonly MfaMethod[] = ['totp', 'passkey', 'email'];
const CONSOLE: Policy = { isRequired: false, methods: METHODS, recoverable: METHODS, actions: [] };

@Injectable()
export class MfaPolicy {
  constructor(
    private readonly settings: EnvironmentSettingsReader,
    private readonly tenants: TenantDirectory,
  ) {}

  /** At most a second old. */
  async read(environmentId: EnvironmentId): Promise<Policy> {
    if (environmentId === (await this.tenants.consoleEnvironmentId())) return CONSOLE;
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
