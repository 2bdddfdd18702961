import { Delete, Post } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  ScopedBy,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { UserOwner } from '../users/user-owner.js';
import { MFA_RESET } from './mfa.events.js';
import { MfaReset } from './mfa-reset.service.js';

@ApiController('users/:userId/mfa', 'Mfa')
export class MfaResetController {
  constructor(private readonly mfa: MfaReset) {}

  @Delete()
  @Operation({
    id: 'resetAllMfaDevices',
    summary: 'Remove every MFA device of a user',
    description:
      'Also invalidates the recovery codes, which replace devices, and ends all sessions. The user is notified by email, if there was anything to remove.',
    events: [MFA_RESET.name, 'user.session.revoked'],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'admin' })
  @ScopedBy(UserOwner, 'userId')
  @ReturnsNothing()
  async resetAllMfaDevices(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @IdParam('userId') userId: string,
  ) {
    await this.mfa.removeDevices(environmentId, userId, caller);
  }

  @Post('reset')
  @Operation({
    id: 'resetUserMfa',
    summary: 'Reset the MFA state of a user',
    description:
      "Removes devices and recovery codes, resets the user's acknowledgement of them, and ends all sessions. The user is notified by email, if a device or codes were removed.",
    events: [MFA_RESET.name, 'user.updated', 'user.session.revoked'],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'admin' })
  @ScopedBy(UserOwner, 'userId')
  @ReturnsNothing()
  async resetUserMfa(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @IdParam('userId') userId: string,
  ) {
    await this.mfa.resetUser(environmentId, userId, caller);
  }
}
