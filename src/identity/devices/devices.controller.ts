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
  'The other sessions of the device end; the caller’s session continues, and has to be confirmed again when it is refreshed.';

@ApiController('sdk/:environmentId', 'Sdk')
export class DevicesController {
  constructor(
    private readonly devices: Devices,
    private readonly registrations: DeviceRegistrations,
  ) {}

  @Post('deviceRegistration')
  @Operation({
    id: 'registerDevice',
    summary: 'Confirm the device of this session with the token from the email',
    description: 'The response is like that of a sign-in. The user is notified of the new device by email.',
    errors: [400, 403, 422],
    sessionErrors: true,
    events: [DEVICE_REGISTERED.name],
    limits: ['30 calls per minute and client address', 'A token lives 15 minutes, and works once'],
  })
  @EndUser({ assurance: ['device:register'] })
  @RateLimited(RATE_RULES.mfa)
  @ApiHeader({
    name: DEVICE_TOKEN_HEADER,
    required: true,
    description: 'What the message says, in any case, with or without spaces.',
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
    limits: ['20 devices of a user; one more forgets the oldest'],
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
