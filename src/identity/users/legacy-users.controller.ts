import { Body, Delete, Get, Put } from '@nestjs/common';
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
import { UserOwner } from './user-owner.js';
import { UserUpdateRequest } from './user-request.dto.js';
import { UserResponse } from './user.dto.js';
import { USER_DELETED, USER_UPDATED } from './user.events.js';
import { UsersService } from './users.service.js';

/** The operations on one user without the environment in the path, kept for older clients. */
@ApiController('users/:userId', 'Users')
export class LegacyUsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @Operation({
    id: 'getUserLegacy',
    summary: 'Older form of reading one user',
    deprecated: true,
  })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @ScopedBy(UserOwner, 'userId')
  @Returns(UserResponse)
  async getUserLegacy(@Environment() environmentId: EnvironmentId, @IdParam('userId') userId: string) {
    return { user: await this.users.get(environmentId, userId) };
  }

  @Put()
  @Operation({
    id: 'updateUserLegacy',
    summary: 'Older form of changing a user',
    errors: [422],
    events: [USER_UPDATED.name],
    deprecated: true,
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @ScopedBy(UserOwner, 'userId')
  @Returns(UserResponse)
  async updateUserLegacy(
    @Environment() environmentId: EnvironmentId,
    @IdParam('userId') userId: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: UserUpdateRequest,
  ) {
    return { user: await this.users.update(environmentId, userId, request, caller) };
  }

  @Delete()
  @Operation({
    id: 'deleteUserLegacy',
    summary: 'Older form of deleting a user',
    errors: [422],
    events: [USER_DELETED.name],
    deprecated: true,
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @ScopedBy(UserOwner, 'userId')
  @ReturnsNothing()
  async deleteUserLegacy(
    @Environment() environmentId: EnvironmentId,
    @IdParam('userId') userId: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    await this.users.delete(environmentId, userId, caller);
  }
}
