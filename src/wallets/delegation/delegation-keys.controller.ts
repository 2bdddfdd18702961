import { Body, Get, Post, Query } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  type DashboardPrincipal,
  type EnvironmentId,
  ServiceTokens,
  RecentlyProven,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import {
  DelegatedAccessEncryptionPublicKeyResponse,
  DelegatedAccessEncryptionPublicKeysUnifiedResponse,
  DelegationKeysQuery,
  WaasDelegationCredentialsRequest,
  WaasDelegationCredentialsResponse,
} from './delegation-key.dto.js';
import { DELEGATION_KEY_CREATED } from './delegation-key.events.js';
import { MOST_KEYS, TAKEOVER_SECONDS } from './delegation-keys.repository.js';
import { DelegationKeysService } from './delegation-keys.service.js';

const READ = { scope: 'environment.settings.read', role: 'viewer' } as const;

@ApiController('environments/:environmentId/waas/delegatedAccess/encryptionPublicKeys', 'Waas')
export class DelegationKeysController {
  constructor(private readonly keys: DelegationKeysService) {}

  @Get()
  @Operation({
    id: 'getDelegatedAccessEncryptionPublicKeys',
    summary: 'Read the active, or all, delegated-access encryption keys',
  })
  @Dashboard(READ)
  @ServiceTokens('waas')
  @Returns(DelegatedAccessEncryptionPublicKeysUnifiedResponse)
  getDelegatedAccessEncryptionPublicKeys(
    @Environment() environmentId: EnvironmentId,
    @Query() { includeAll = false }: DelegationKeysQuery,
  ) {
    return this.keys.list(environmentId, includeAll);
  }

  @Get(':keyId')
  @Operation({ id: 'getDelegatedAccessEncryptionPublicKeyById', summary: 'Read one delegated-access encryption key' })
  @Dashboard(READ)
  @ServiceTokens('waas')
  @Returns(DelegatedAccessEncryptionPublicKeyResponse)
  getDelegatedAccessEncryptionPublicKeyById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('keyId') keyId: string,
  ) {
    return this.keys.get(environmentId, keyId);
  }

  @Post()
  @Operation({
    id: 'createDelegatedCredentials',
    summary: 'Register an encryption key for delegated access',
    description: `The first key is active at once. A key that replaces another is pending for ${TAKEOVER_SECONDS} seconds, so that clients that have already read the old key can still use it; then it becomes active, and the old one is revoked. Wallets of version V1 have no shares: a credential is sealed to the key instead.`,
    errors: [422],
    events: [DELEGATION_KEY_CREATED.name],
    limits: [`${MOST_KEYS} keys, including replaced ones`, 'one pending key at a time'],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'admin' })
  @RecentlyProven('console:settings:update')
  @Returns(WaasDelegationCredentialsResponse, { status: 201 })
  createDelegatedCredentials(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: WaasDelegationCredentialsRequest,
  ) {
    return this.keys.register(environmentId, request, caller);
  }
}
