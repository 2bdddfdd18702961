import { Body, Post, UseInterceptors } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  FreshProof,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { IMPORTS } from '../../custody/index.js';
import { SessionCookies, VerifyResponse } from '../../identity/index.js';
import { OpenRoomResponseWithServerKeygenIds } from '../exports/wallet-export.dto.js';
import { WALLET_CREATED } from '../record/wallet.events.js';
import { CompletePrivateKeyImportRequest, ImportWaasPrivateKeyRequest } from './wallet-import.dto.js';
import { WalletImports } from './wallet-imports.service.js';

@ApiController('sdk/:environmentId', 'Sdk')
export class WalletImportsController {
  constructor(private readonly imports: WalletImports) {}

  @Post('waas/privateKey/import')
  @Operation({
    id: 'importPrivateKey',
    summary: 'Open the ceremony that imports a private key',
    description:
      '`serverKeygenIds` in the answer are two public keys for this import only, P-256 and X25519, in base58. Seal the private key to one of them with HPKE (RFC 9180, base mode), and submit it within five minutes from the same session: completePrivateKeyImport, with `roomId` as the activity. docs/wallet-import.md shows how.',
    errors: [403],
    limits: [`${IMPORTS.limit} imports per hour and user`],
  })
  @EndUser()
  @FreshProof('credential:link')
  @Returns(OpenRoomResponseWithServerKeygenIds)
  importPrivateKey(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Body() request: ImportWaasPrivateKeyRequest,
  ) {
    return this.imports.open(environmentId, caller, request);
  }

  @Post('users/embeddedWallets/activities/:activityId/import')
  @Operation({
    id: 'completePrivateKeyImport',
    summary: 'Submit the private key of an import activity',
    description:
      'Single-use, within five minutes, and only by the session that started it with importPrivateKey. The key must sign for its address before it becomes a wallet; otherwise nothing changes. The user is notified by email. The tokens in the answer include the wallet.',
    errors: [403, 422],
    sessionErrors: true,
    events: [WALLET_CREATED.name],
  })
  @EndUser()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse, { status: 201 })
  completePrivateKeyImport(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @IdParam('activityId') activityId: string,
    @Body() request: CompletePrivateKeyImportRequest,
  ) {
    return this.imports.complete(environmentId, caller, activityId, request, client);
  }
}
