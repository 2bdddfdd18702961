import { Delete, Get, Headers, Post, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  RATE_RULES,
  RateLimited,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { VerifyResponse } from '../flows/sign-in.dto.js';
import { SESSION_REVOKED } from '../sessions/session.events.js';
import { SessionCookies } from '../sessions/session-cookies.interceptor.js';
import { DeviceRegistrations } from './device-registration.service.js';
import { DeleteDeviceRegistrationResponse, DeviceRegistrationsResponse } from './device.dto.js';
import { DEVICE_REGISTERED, DEVICE_REMOVED } from './device.events.js';
import { DEVICE_TOKEN_HEADER, MAX_TOKEN_LENGTH } from './device-token.js';
import { Devices } from './devices.service.js';

const TOKEN_LENGTH = { minLength: 1, maxLength: MAX_TOKEN_LENGTH };
const FORGOTTEN =
  "Ends the other sessions of the device; the caller's session continues, and the device must be confirmed again when it is refreshed.";

@ApiController('sdk/:environmentId', 'Sdk')
export class DevicesController {
  constructor(
    private readonly devices: Devices,
    private readonly registrations: DeviceRegistrations,
  ) {}

  @Post('deviceRegistration')
  @Operation({
    id: 'registerDevice',
    summary: 'Confirm the device of this session with the emailed token',
    description: 'Answers like a sign-in. The user is notified of the new device by email.',
    errors: [400, 403, 422],
    sessionErrors: true,
    events: [DEVICE_REGISTERED.name],
    limits: ['30 calls per minute and client address', 'A token is single-use and expires after 15 minutes'],
  })
  @EndUser({ assurance: ['device:register'] })
  @RateLimited(RATE_RULES.mfa)
  @ApiHeader({
    name: DEVICE_TOKEN_HEADER,
    required: true,
    description: 'The token from the message, ignoring case and spaces.',
    schema: { type: 'string', ...TOKEN_LENGTH },
  })
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  registerDevice(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Headers(DEVICE_TOKEN_HEADER) token: string | undefined,
  ) {
    return this.registrations.register(environmentId, caller, token, client);
  }

  @Get('deviceRegistrations')
  @Operation({
    id: 'getDeviceRegistrations',
    summary: 'List the devices that the user has confirmed',
    errors: [400],
    limits: ['20 devices per user; adding another forgets the oldest'],
  })
  @EndUser()
  @Returns(DeviceRegistrationsResponse)
  getDeviceRegistrations(@Environment() environmentId: EnvironmentId, @Caller() caller: EndUserPrincipal) {
    return this.devices.list(environmentId, caller);
  }

  @Delete('deviceRegistrations')
  @Operation({
    id: 'deleteAllDeviceRegistrations',
    summary: 'Forget all confirmed devices of the user',
    description: FORGOTTEN,
    errors: [400],
    events: [DEVICE_REMOVED.name, SESSION_REVOKED.name],
  })
  @EndUser()
  @Returns(DeleteDeviceRegistrationResponse)
  deleteAllDeviceRegistrations(@Environment() environmentId: EnvironmentId, @Caller() caller: EndUserPrincipal) {
    return this.devices.forget(environmentId, caller, null);
  }

  @Delete('deviceRegistrations/:deviceRegistrationId')
  @Operation({
    id: 'deleteDeviceRegistration',
    summary: 'Forget one confirmed device',
    description: FORGOTTEN,
    errors: [400],
    events: [DEVICE_REMOVED.name, SESSION_REVOKED.name],
  })
  @EndUser()
  @Returns(DeleteDeviceRegistrationResponse)
  deleteDeviceRegistration(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('deviceRegistrationId') deviceRegistrationId: string,
  ) {
    return this.devices.forget(environmentId, caller, deviceRegistrationId);
  }
}
