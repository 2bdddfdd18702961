import { Delete, Get, Headers, Put, Query } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  MFA_TOKEN_HEADER,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { OptionalBody } from '../../common/http/optional-body.js';
import { IdParam } from '../../common/http/params.js';
import { MfaDevice } from '../users/user-parts.dto.js';
import { MfaListDevicesResponse, MfaMethodsQuery, MfaMethodsResponse, MfaUpdateDeviceRequest } from './mfa.dto.js';
import { MFA_DEVICE_REMOVED } from './mfa.events.js';
import { MfaDevices } from './mfa-devices.service.js';

@ApiController('sdk/:environmentId/users/mfa', 'Sdk')
export class MfaDevicesController {
  constructor(private readonly devices: MfaDevices) {}

  @Get()
  @Operation({ id: 'getUserMfaDevices', summary: "List the signed-in user's MFA devices" })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @Returns(MfaListDevicesResponse)
  getUserMfaDevices(@Environment() environmentId: EnvironmentId, @Caller() caller: EndUserPrincipal) {
    return this.devices.list(environmentId, caller);
  }

  @Get('methods')
  @Operation({
    id: 'getUserMfaMethods',
    summary: 'List devices and passkeys usable for MFA',
    description: 'Those of a kind that the environment has disabled are only in getUserMfaDevices.',
  })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @Returns(MfaMethodsResponse)
  getUserMfaMethods(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Query() { verifiedOnly }: MfaMethodsQuery,
  ) {
    return this.devices.listMethods(environmentId, caller, verifiedOnly ?? true);
  }

  @Get(':mfaDeviceId')
  @Operation({ id: 'getMfaDevice', summary: 'Read one MFA device' })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @Returns(MfaDevice)
  getMfaDevice(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('mfaDeviceId') mfaDeviceId: string,
  ) {
    return this.devices.get(environmentId, caller, mfaDeviceId);
  }

  @Put(':mfaDeviceId')
  @Operation({
    id: 'updateUserMfaDevice',
    summary: 'Make an MFA device the default',
    description: 'A call without a body makes it the default.',
    errors: [422],
  })
  @EndUser()
  @ReturnsNothing()
  async updateUserMfaDevice(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('mfaDeviceId') mfaDeviceId: string,
    @OptionalBody(MfaUpdateDeviceRequest, { default: true }) body: MfaUpdateDeviceRequest,
  ) {
    await this.devices.setDefault(environmentId, caller, mfaDeviceId, body.default);
  }

  @Delete(':mfaDeviceId')
  @Operation({
    id: 'deleteMfaDevice',
    summary: 'Remove an MFA device; requires an MFA token header',
    description:
      'The default device must be removed last; this also invalidates the recovery codes. A member cannot remove a factor that an organization requires. Ends the other sessions of the user, who is notified by email.',
    errors: [400],
    events: [MFA_DEVICE_REMOVED.name, 'user.session.revoked'],
  })
  @EndUser()
  @ApiHeader({
    name: MFA_TOKEN_HEADER,
    required: true,
    description: 'The `mfaToken` of a second factor that was given with `createMfaToken` in this session.',
    schema: { type: 'string' },
  })
  @ReturnsNothing()
  async deleteMfaDevice(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @IdParam('mfaDeviceId') mfaDeviceId: string,
    @Headers(MFA_TOKEN_HEADER) mfaToken: string | undefined,
  ) {
    await this.devices.delete(environmentId, caller, mfaDeviceId, mfaToken, client);
  }
}
