import { Body, Post, UseInterceptors } from '@nestjs/common';
import { Client, Dashboard, Environment, Public, type ClientOrigin, type EnvironmentId } from '../../src/auth/index.js';
import { ApiController, Operation, Returns } from '../../src/common/http/operation.js';
import { SessionCookies, VerifyResponse } from '../../src/identity/index.js';
import { OneTimeLink, OneTimeLinkCreateRequest, OneTimeLinkSignInRequest } from './one-time-link.dto.js';
import { OneTimeLinksService } from './one-time-links.service.js';

@ApiController('environments/:environmentId/oneTimeLinks', 'OneTimeLinks')
export class OneTimeLinksController {
  constructor(private readonly links: OneTimeLinksService) {}

  @Post()
  @Operation({
    id: 'createOneTimeLink',
    summary: 'Make a link that signs a person in once',
    limits: ['A link is good once, for an hour'],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(OneTimeLink, { status: 201 })
  createOneTimeLink(@Environment() environmentId: EnvironmentId, @Body() { person }: OneTimeLinkCreateRequest) {
    return this.links.create(environmentId, person);
  }
}

@ApiController('sdk/:environmentId/oneTimeLinks', 'Sdk')
export class OneTimeLinkSignInController {
  constructor(private readonly links: OneTimeLinksService) {}

  @Post('signin')
  @Operation({
    id: 'signInWithOneTimeLink',
    summary: 'Follow a link and open a session',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.created', 'user.session.created', 'user.session.revoked'],
    limits: ['10 calls per minute and client address'],
  })
  @Public()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  signInWithOneTimeLink(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Body() body: OneTimeLinkSignInRequest,
  ) {
    return this.links.signIn(environmentId, body, client);
  }
}
