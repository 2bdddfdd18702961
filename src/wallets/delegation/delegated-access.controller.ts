import { Body, Delete, Headers, Post } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Caller,
  Dashboard,
  Environment,
  ServiceTokens,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { SIGNATURES } from '../../custody/index.js';
import {
  DelegatedSignature,
  RevokeDelegatedAccessRequest,
  RevokeDelegatedAccessResponse,
  WaasDelegateSignMessageRequest,
} from './delegated-access.dto.js';
import { DELEGATION_REVOKED, DELEGATION_USED } from './delegated-access.events.js';
import { DelegatedSigning } from './delegated-signing.js';
import { DelegationEndings } from './delegation-endings.js';

const CREDENTIAL_HEADER = 'x-delegation-credential';
const ACTING = { scope: 'waas.delegatedAccess.signMessage', role: 'developer' } as const;

@ApiController('environments/:environmentId/waas', 'Waas')
export class DelegatedAccessController {
  constructor(
    private readonly signing: DelegatedSigning,
    private readonly endings: DelegationEndings,
  ) {}

  @Post(':walletId/delegatedAccess/signMessage')
  @Operation({
    id: 'delegatedSignMessage',
    summary: 'Sign with delegated access held by the developer',
    description:
      'For wallets of version V1, whose keys the service holds, the answer is the signature itself. The content is parsed first and must be within what the user allowed and within the signing policy of the environment. Every signature, and every refusal of one requested with the credential, is recorded in the key ledger. Wallets with shared keys (version V3) are refused, since servers cannot take part in a ceremony. docs/delegated-access.md shows how to open a delivery.',
    errors: [422],
    limits: [`${SIGNATURES.limit} signatures per minute and user`],
    events: [DELEGATION_USED.name],
  })
  @Dashboard(ACTING)
  @ServiceTokens('waas')
  @ApiHeader({
    name: CREDENTIAL_HEADER,
    required: false,
    description: 'The content of the newest delivery for the wallet: 32 bytes in base64url.',
    schema: { type: 'string' },
  })
  @Returns(DelegatedSignature)
  delegatedSignMessage(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @IdParam('walletId') walletId: string,
    @Headers(CREDENTIAL_HEADER) credential: string | undefined,
    @Body() request: WaasDelegateSignMessageRequest,
  ) {
    return this.signing.sign(environmentId, caller, { walletId, credential }, request);
  }

  @Delete(':walletId/delegatedAccess')
  @Operation({
    id: 'deleteDelegatedAccess',
    summary: 'Revoke delegated access for one wallet',
    errors: [400],
    events: [DELEGATION_REVOKED.name],
  })
  @Dashboard(ACTING)
  @ServiceTokens('waas')
  @ReturnsNothing()
  deleteDelegatedAccess(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @IdParam('walletId') walletId: string,
  ) {
    return this.endings.revoke(environmentId, caller, walletId);
  }

  @Post('delegatedAccess/revoke')
  @Operation({
    id: 'revokeDelegatedAccess',
    summary: 'Revoke delegated access for up to a hundred wallets',
    description: 'Wallets without delegated access are reported and do not prevent the others from being revoked.',
    events: [DELEGATION_REVOKED.name],
  })
  @Dashboard(ACTING)
  @ServiceTokens('waas')
  @Returns(RevokeDelegatedAccessResponse)
  revokeDelegatedAccess(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() { walletIds }: RevokeDelegatedAccessRequest,
  ) {
    return this.endings.revokeMany(environmentId, caller, walletIds);
  }
}
