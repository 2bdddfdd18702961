import { Get, Post, Put } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  ScopedBy,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { UserOwner } from '../users/user-owner.js';
import { Session } from '../users/user-parts.dto.js';
import { SessionOwner } from './session-owner.js';
import { SESSION_REVOKED } from './session.events.js';
import { UserSessionsService } from './user-sessions.service.js';

@ApiController('environments/:environmentId/users/:userId/sessions', 'Users')
export class UserSessionsController {
  constructor(private readonly sessions: UserSessionsService) {}

  @Post('revoke')
  @Operation({
    id: 'revokeUserSessions',
    summary: 'End every session of a user',
    errors: [400, 422],
    sessionErrors: true,
    events: [SESSION_REVOKED.name],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @ReturnsNothing()
  async revokeUserSessions(
    @Environment() environmentId: EnvironmentId,
    @IdParam('userId') userId: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    await this.sessions.revokeAll(environmentId, userId, caller);
  }
}

/** The operation without the environment in its path, kept for older clients. */
@ApiController('users/:userId/sessions', 'Users')
export class LegacyUserSessionsController {
  constructor(private readonly sessions: UserSessionsService) {}

  @Post('revoke')
  @Operation({
    id: 'revokeUserSessionsLegacy',
    summary: 'Older form of ending every session of a user',
    errors: [400, 422],
    sessionErrors: true,
    events: [SESSION_REVOKED.name],
    deprecated: true,
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @ScopedBy(UserOwner, 'userId')
  @ReturnsNothing()
  async revokeUserSessionsLegacy(
    @Environment() environmentId: EnvironmentId,
    @IdParam('userId') userId: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    await this.sessions.revokeAll(environmentId, userId, caller);
  }
}

@ApiController('users/:userId/sessions/:sessionId', 'Sessions')
export class UserSessionController {
  constructor(private readonly sessions: UserSessionsService) {}

  @Get()
  @Operation({ id: 'getSessionById', summary: 'Read one session of a user', description: 'Includes ended sessions.' })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @ScopedBy(UserOwner, 'userId')
  @Returns(Session)
  getSessionById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('userId') userId: string,
    @IdParam('sessionId') sessionId: string,
  ) {
    return this.sessions.get(environmentId, userId, sessionId);
  }
}

@ApiController('sessions/:sessionId', 'Sessions')
export class SessionController {
  constructor(private readonly sessions: UserSessionsService) {}

  @Put('revoke')
  @Operation({
    id: 'revokeSessionById',
    summary: 'End one session from the admin side',
    description: 'A session that has ended is not changed.',
    events: [SESSION_REVOKED.name],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @ScopedBy(SessionOwner, 'sessionId')
  @Returns(Session)
  revokeSessionById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('sessionId') sessionId: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.sessions.revoke(environmentId, sessionId, caller);
  }
}
