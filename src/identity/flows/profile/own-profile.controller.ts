import { Body, Get, Put, UseInterceptors } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  SecondFactorFor,
  RecentProofAccepted,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../../auth/index.js';
import { ApiController, Operation, Returns } from '../../../common/http/operation.js';
import { NOTIFIED_CHANGES_LIMIT } from '../../notices/notified-changes.js';
import { SessionCookies } from '../../sessions/session-cookies.interceptor.js';
import { SdkUser } from '../../users/user.dto.js';
import { UserFields } from '../../users/user-request.dto.js';
import { OwnProfile } from './own-profile.service.js';
import { UpdateSelfResponse } from '../sign-in.dto.js';

const LIMITS = [
  '3 calls per minute and client address that send a code, counted with createEmailVerification, createSmsVerification and their retries',
  'codes per address or number: limits of those two operations',
  NOTIFIED_CHANGES_LIMIT,
];

@ApiController('sdk/:environmentId/users', 'Sdk')
export class OwnProfileController {
  constructor(private readonly profile: OwnProfile) {}

  @Get()
  @Operation({
    id: 'getAuthenticatedUser',
    summary: "Read the signed-in user's profile",
  })
  @EndUser({ assurance: ['userDataForm'] })
  @Returns(SdkUser)
  getAuthenticatedUser(@Environment() environmentId: EnvironmentId, @Caller() caller: EndUserPrincipal) {
    return this.profile.get(environmentId, caller);
  }

  @Put()
  @Operation({
    id: 'updateSelf',
    summary: "Change the signed-in user's profile; may start an email or SMS check",
    description:
      'A new email is stored once its owner has confirmed the code sent to it; an email that the user has already proven becomes the primary one with a proof from the last five minutes. The tokens in the answer carry the new profile; existing tokens stay valid.',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.updated'],
    limits: LIMITS,
  })
  @EndUser({ assurance: ['userDataForm'] })
  @SecondFactorFor('user.update')
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(UpdateSelfResponse)
  updateSelf(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: UserFields,
  ) {
    return this.profile.update(environmentId, caller, body, client);
  }
}
