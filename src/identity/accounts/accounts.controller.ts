import { Body, Delete, Post, Query, UseInterceptors } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  RATE_RULES,
  RateLimited,
  RecentProofAccepted,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { VerifyResponse } from '../flows/sign-in.dto.js';
import { SessionCookies } from '../sessions/session-cookies.interceptor.js';
import { USER_MERGED } from './account.events.js';
import { Erasures } from './erasures.service.js';
import { EraseUserQuery, MergeUserConflictResolutions, VerifyUnlinkRequest } from './account.dto.js';
import { Merges } from './merges.service.js';
import { Unlinks } from './unlinks.service.js';

const MERGE_EVENTS = [USER_MERGED.name, 'user.updated', 'user.deleted', 'user.session.created', 'user.session.revoked'];
const MERGE_LIMITS = [
  'A credential of the other account can be used for 5 minutes after it was proven in this session',
];
const MERGE =
  'Follows `merge_accounts_confirmation` from an operation that links a credential. All credentials and wallets move to the signed-in user; the sessions of both accounts end, and the answer contains a new one. Operators can undo the merge for seven days.';

@ApiController('sdk/:environmentId', 'Sdk')
export class AccountsController {
  constructor(
    private readonly merges: Merges,
    private readonly unlinks: Unlinks,
    private readonly erasures: Erasures,
  ) {}

  @Post('users/merge')
  @Operation({
    id: 'mergeUsers',
    summary: 'Merge two accounts of one person after verification, when nothing conflicts',
    description: MERGE,
    errors: [400, 403, 422],
    sessionErrors: true,
    events: MERGE_EVENTS,
    limits: MERGE_LIMITS,
  })
  @EndUser()
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  mergeUsers(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
  ) {
    return this.merges.merge(environmentId, caller, null, client);
  }

  @Post('verify/merge')
  @Operation({
    id: 'verifyMergeUsers',
    summary: 'Merge two users with a chosen answer for each conflicting field',
    description: MERGE,
    errors: [403, 422],
    sessionErrors: true,
    events: MERGE_EVENTS,
    limits: MERGE_LIMITS,
  })
  @EndUser()
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  verifyMergeUsers(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() { mergeUserResolutions = [] }: MergeUserConflictResolutions,
  ) {
    return this.merges.merge(environmentId, caller, mergeUserResolutions, client);
  }

  @Post('verify/unlink')
  @Operation({
    id: 'verifyUnlink',
    summary: 'Detach a wallet or credential from the signed-in user',
    description:
      'Name one wallet or one credential. The last credential that can sign in cannot be removed, nor can an address for which an organization enforces single sign-on. The other sessions of the user end, and the user is notified at every proven address.',
    errors: [403, 422],
    sessionErrors: true,
    events: ['user.updated', 'user.session.revoked', 'wallet.unlinked', 'user.social.unlinked'],
  })
  @EndUser()
  @RecentProofAccepted('credential:unlink')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  verifyUnlink(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: VerifyUnlinkRequest,
  ) {
    return this.unlinks.unlink(environmentId, caller, body, client);
  }

  @Delete('users')
  @Operation({
    id: 'hardDeleteUser',
    summary: 'Erase the signed-in user',
    description:
      'Deletes everything stored about the person, including webhook messages about them; the audit trail keeps the id. An account with an embedded wallet is refused unless `eraseWallets` is true: the keys are then destroyed and cannot be recovered.',
    errors: [403, 422],
    events: ['user.deleted'],
  })
  @EndUser()
  @RecentProofAccepted('user:delete')
  @RateLimited(RATE_RULES.usersErased)
  @ReturnsNothing()
  async hardDeleteUser(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Query() { eraseWallets }: EraseUserQuery,
  ) {
    await this.erasures.erase(environmentId, caller, eraseWallets === true, client);
  }
}
