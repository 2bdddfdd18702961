import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ListBody } from '../../common/http/list-body.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { BulkCreateUsersQuery, BulkUserCreateResponse } from './bulk-users.dto.js';
import { BulkUsersService } from './bulk-users.service.js';
import { UserCreation } from './user-creation.js';
import { UserListService } from './user-list.service.js';
import { ListUsersQuery } from './user-query.dto.js';
import { BulkUserCreateItem, UserCreateRequest, UserUpdateRequest } from './user-request.dto.js';
import { UserResponse, UsersResponse } from './user.dto.js';
import { USER_CREATED, USER_DELETED, USER_UPDATED } from './user.events.js';
import { UsersService } from './users.service.js';

const METADATA = 'metadata: 16 384 bytes of JSON';

@ApiController('environments/:environmentId/users', 'Users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly lists: UserListService,
    private readonly creation: UserCreation,
    private readonly bulk: BulkUsersService,
  ) {}

  @Post()
  @Operation({
    id: 'createUser',
    idempotent: true,
    summary: 'Create one user without verification steps',
    description:
      "There is no check against other users: two may share an email, and neither can then sign in with it. Verification marks in the request are recorded as the caller's claim, never as proof. A wallet or account that is listed twice is added once.",
    errors: [422],
    events: [USER_CREATED.name, 'wallet.linked'],
    limits: [METADATA],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(UserResponse, { status: 201 })
  async createUser(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: UserCreateRequest,
    @CallWork() work: Work,
  ) {
    return { user: await this.creation.create(environmentId, request, caller, work) };
  }

  @Post('bulk')
  @Operation({
    id: 'bulkCreateUser',
    idempotent: true,
    summary: 'Create up to fifty users, optionally updating those that exist',
    description:
      'Each item succeeds or fails on its own. With `upsert`, an item updates the profile of the one user with its email or, without an email, with its first social account; what the item says of wallets, accounts and the proof of the email is then left aside.',
    errors: [422],
    events: [USER_CREATED.name, USER_UPDATED.name, 'wallet.linked'],
    limits: ['1 to 50 items', '100 KB per item, 1 MB in total', METADATA],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(BulkUserCreateResponse, { status: 201 })
  bulkCreateUser(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @ListBody(BulkUserCreateItem, { min: 1, max: 50 }) items: BulkUserCreateItem[],
    @Query() query: BulkCreateUsersQuery,
    @CallWork() work: Work,
  ) {
    return this.bulk.create(environmentId, items, query.upsert === true, caller, work);
  }

  @Get()
  @Operation({
    id: 'getEnvironmentUsers',
    summary: "List and filter the environment's users",
    limits: [
      'Text filters match substrings of at least 3 characters, ignoring case; id, wallet and account filters match whole values',
      'orderBy: createdAt, updatedAt, firstVisit, lastVisit, email, alias, firstName, lastName, username; newest first by default',
      'With a filter, or an order other than createdAt, only the 10 000 newest matching users are considered; count stops there too',
      'A text filter on one field considers the 50 000 newest users with the text in any field',
    ],
  })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(UsersResponse)
  getEnvironmentUsers(@Environment() environmentId: EnvironmentId, @Query() query: ListUsersQuery) {
    return this.lists.list(environmentId, query);
  }

  @Get(':userId')
  @Operation({ id: 'getUser', summary: 'Read one user in full' })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(UserResponse)
  async getUser(@Environment() environmentId: EnvironmentId, @IdParam('userId') userId: string) {
    return { user: await this.users.get(environmentId, userId) };
  }

  @Put(':userId')
  @Operation({
    id: 'updateUser',
    summary: "Change a user's profile fields",
    description: 'Omitted fields keep their values. An id in the body must match the path.',
    errors: [422],
    events: [USER_UPDATED.name],
    limits: [METADATA],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(UserResponse)
  async updateUser(
    @Environment() environmentId: EnvironmentId,
    @IdParam('userId') userId: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: UserUpdateRequest,
  ) {
    return { user: await this.users.update(environmentId, userId, request, caller) };
  }

  @Delete(':userId')
  @Operation({
    id: 'deleteUser',
    summary: 'Delete one user',
    errors: [422],
    events: [USER_DELETED.name],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @ReturnsNothing()
  async deleteUser(
    @Environment() environmentId: EnvironmentId,
    @IdParam('userId') userId: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    await this.users.delete(environmentId, userId, caller);
  }
}
