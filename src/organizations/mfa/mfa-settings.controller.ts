import { Get, Param, Put, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import {
  Caller,
  Dashboard,
  Organization,
  RecentlyProven,
  type DashboardPrincipal,
  type OrganizationId,
} from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import {
  MFA_DEVICE_TYPES,
  OrganizationMfaSettings,
  OrganizationMfaSettingsResponse,
  type MfaDeviceType,
} from './mfa-settings.dto.js';
import { MFA_SETTINGS_UPDATED } from './mfa-settings.events.js';
import { MfaSettingsService } from './mfa-settings.service.js';

/** An unknown kind is answered like any record that does not exist. */
const knownType: PipeTransform<string, MfaDeviceType> = {
  transform(value) {
    const type = MFA_DEVICE_TYPES.values.find((known) => known === value);
    if (!type) throw notFound({ hint: `Kinds of second factors: ${MFA_DEVICE_TYPES.values.join(', ')}.` });
    return type;
  },
};

const deviceTypeParam = (): MethodDecorator =>
  ApiParam({ name: 'mfaDeviceType', enum: [...MFA_DEVICE_TYPES.values], enumName: MFA_DEVICE_TYPES.name });

@ApiController('organizations/:organizationId/mfaSettings', 'MfaSettings')
export class MfaSettingsController {
  constructor(private readonly settings: MfaSettingsService) {}

  @Get()
  @Operation({
    id: 'getOrganizationMfaSettings',
    summary: 'List which MFA device types members may use',
  })
  @Dashboard({ scope: null, role: 'viewer' })
  @Returns(OrganizationMfaSettingsResponse)
  getOrganizationMfaSettings(@Organization() organizationId: OrganizationId) {
    return this.settings.list(organizationId);
  }

  @Put(':mfaDeviceType/enable')
  @deviceTypeParam()
  @Operation({
    id: 'enableMfaDeviceForOrganization',
    summary: 'Allow an MFA device type for members',
    description:
      'Once `totp` or `passkey` is allowed, members need a console session with a second factor of an allowed type; `email` is an alternative where it is also allowed, but does not make a second factor mandatory by itself. API tokens and personal tokens are exempt. Requires a proof from the last five minutes.',
    events: [MFA_SETTINGS_UPDATED.name],
  })
  @Dashboard({ scope: null, role: 'owner' })
  @RecentlyProven('console:settings:update')
  @Returns(OrganizationMfaSettings)
  enableMfaDeviceForOrganization(
    @Organization() organizationId: OrganizationId,
    @Param('mfaDeviceType', knownType) type: MfaDeviceType,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.settings.admit(organizationId, type, true, caller);
  }

  @Put(':mfaDeviceType/disable')
  @deviceTypeParam()
  @Operation({
    id: 'disableMfaDeviceForOrganization',
    summary: 'Disallow an MFA device type for members',
    description:
      'If neither `totp` nor `passkey` is allowed, members need no second factor. Requires a proof from the last five minutes.',
    events: [MFA_SETTINGS_UPDATED.name],
  })
  @Dashboard({ scope: null, role: 'owner' })
  @RecentlyProven('console:settings:update')
  @Returns(OrganizationMfaSettings)
  disableMfaDeviceForOrganization(
    @Organization() organizationId: OrganizationId,
    @Param('mfaDeviceType', knownType) type: MfaDeviceType,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.settings.admit(organizationId, type, false, caller);
  }
}
