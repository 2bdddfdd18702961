import { Injectable } from '@nestjs/common';
import { TenantDirectory, type EndUserPrincipal } from '../../auth/index.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { MfaSettingsService } from '../../organizations/index.js';
import type { MfaDeviceRow } from './mfa-device.entity.js';
import { MfaTokens } from './mfa-tokens.js';

export const IS_DEFAULT = 'The default device stays the default until another one is made it.';
const IS_ASKED =
  'An organization of this member asks for a second factor of this kind: register another one first, and make it the default.';

/** The device to remove, and the verified ones that stay. */
export interface Removal {
  device: Pick<MfaDeviceRow, 'type' | 'isDefault' | 'verifiedAt'>;
  others: readonly Pick<MfaDeviceRow, 'type'>[];
}

/** Allows removing a device with a second factor given for it, unless the user's organization requires the device. */
@Injectable()
export class RemovalRight {
  constructor(
    private readonly tokens: MfaTokens,
    private readonly tenants: TenantDirectory,
    private readonly organizations: MfaSettingsService,
  ) {}

  /** The lists of device kinds of which a user must keep one each, if they have any. Read before the transaction. */
  async kept(environmentId: EnvironmentId, userId: string): Promise<readonly (readonly string[])[]> {
    if (environmentId !== (await this.tenants.consoleEnvironmentId())) return [];
    return this.organizations.listAsked(userId);
  }

  /** Uses up the token. @throws ApiError 400 with the obstacle, 401 `mfa_token_refused` */
  async assert(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { device, others }: Removal,
    { kept, mfaToken }: { kept: readonly (readonly string[])[]; mfaToken: string | undefined },
    tx: Transaction,
  ): Promise<void> {
    if (!mfaToken) throw invalidFields([{ field: 'x-mfa-auth-token', message: 'x-mfa-auth-token is required' }]);
    if (device.isDefault && others.length > 0) throw invalidFields([{ field: 'mfaDeviceId', message: IS_DEFAULT }]);
    const isLastOf = (kinds: readonly string[]): boolean =>
      kinds.includes(device.type) && !others.some(({ type }) => kinds.includes(type));
    if (device.verifiedAt && kept.some(isLastOf)) throw invalidFields([{ field: 'mfaDeviceId', message: IS_ASKED }]);
    await this.tokens.use(environmentId, caller, mfaToken, 'mfaDevice.delete', tx);
  }
}
