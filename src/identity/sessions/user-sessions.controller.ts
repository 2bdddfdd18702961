import { Post } from '@nestjs/common';
import { Dashboard, Environment, ScopedBy, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { UserOwner } from '../users/user-owner.js';
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
  async revokeUserSessions(@Environment() environmentId: EnvironmentId, @IdParam('userId') userId: string) {
    await this.sessions.revokeAll(environmentId, userId);
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
  async revokeUserSessionsLegacy(@Environment() environmentId: EnvironmentId, @IdParam('userId') userId: string) {
    await this.sessions.revokeAll(environmentId, userId);
  }
}
