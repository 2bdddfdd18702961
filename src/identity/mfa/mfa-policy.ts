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

/** An environment's settings for second factors. */
export interface Policy {
  isRequired: boolean;
  /** Empty while second factors are disabled. */
  methods: readonly MfaMethod[];
  /** The kinds of devices that a recovery code may replace. */
  recoverable: readonly MfaMethod[];
  /** The actions that each require a second factor. */
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

/** Whether a recovery code may stand in for one of these devices. */
export const takesRecoveryCodes = (
  { recoverable }: Pick<Policy, 'recoverable'>,
  devices: readonly { type: MfaMethod; verifiedAt: Date | null }[],
): boolean => devices.some(({ type, verifiedAt }) => verifiedAt && recoverable.includes(type));

/** Members may register any kind; their organization's own settings decide which it requires. */
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
