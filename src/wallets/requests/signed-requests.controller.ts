import { Body, Delete, Get, Post, Query, UseInterceptors } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  FreshProof,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
  ServiceTokens,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { OptionalBody } from '../../common/http/optional-body.js';
import { IdParam } from '../../common/http/params.js';
import { SessionCookies, VerifyResponse } from '../../identity/index.js';
import { WALLET_CREATED, WALLET_DELETED } from '../record/wallet.events.js';
import { DeletionRequests } from './deletion-requests.service.js';
import {
  CreateWalletAccountQuery,
  CreateWalletAccountRequest,
  DeleteEmbeddedWalletsRequest,
  KeyvaultCreateWalletAccountsRequestBody,
  KeyvaultDeleteEmbeddedWalletsRequestBody,
  RegisterEmbeddedWalletSessionKeyResponse,
  RegisterSessionKeyRequest,
} from './key-request.dto.js';
import { SESSION_KEY_SECONDS, SessionKeys } from './session-keys.service.js';
import { MAX_SESSION_KEYS } from './signed-requests.repository.js';
import { WalletAccounts } from './wallet-accounts.service.js';
import { WalletDeletion } from './wallet-deletion.service.js';

const SIGNED = 'The prepared request is signed by the session key, is valid for a minute, and is executed once.';

/** Operations for which a token is not enough: they require a signature by the session's key. */
@ApiController('sdk/:environmentId/users/embeddedWallets', 'Sdk')
export class SignedRequestsController {
  constructor(
    private readonly accounts: WalletAccounts,
    private readonly deletion: WalletDeletion,
    private readonly deletionRequests: DeletionRequests,
    private readonly sessionKeys: SessionKeys,
  ) {}

  @Post('sessionKey')
  @Operation({
    id: 'registerSessionKey',
    summary: 'Register a session public key for wallet use',
    description:
      'The key stamps requests of this session. Registering it again extends it. A key given at sign-in (`sessionPublicKey`) is valid for `sdk.embeddedWallets.sessionKeyDuration`, a day at most, and can be registered like any other.',
    errors: [403, 422],
    limits: [`${MAX_SESSION_KEYS} active keys per user, each valid for ${SESSION_KEY_SECONDS / 60} minutes`],
  })
  @EndUser()
  @ServiceTokens('wallets')
  @FreshProof('wallet:sign')
  @Returns(RegisterEmbeddedWalletSessionKeyResponse)
  registerSessionKey(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Body() request: RegisterSessionKeyRequest,
  ) {
    return this.sessionKeys.register(environmentId, caller, request);
  }

  @Get('walletAccounts/createRequest')
  @Operation({
    id: 'getCreateWalletAccountRequest',
    summary: 'Prepare the request body a user signs to add a chain account',
    errors: [422],
  })
  @EndUser()
  @ServiceTokens('wallets')
  @Returns(KeyvaultCreateWalletAccountsRequestBody)
  getCreateWalletAccountRequest(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Query() { chain }: CreateWalletAccountQuery,
  ) {
    return this.accounts.prepare(environmentId, caller, chain);
  }

  @Post('walletAccounts')
  @Operation({
    id: 'createWalletAccount',
    summary: 'Add a chain account to an existing HD wallet',
    description: SIGNED,
    errors: [403, 409, 422],
    sessionErrors: true,
    events: [WALLET_CREATED.name],
  })
  @EndUser()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse, { status: 201 })
  createWalletAccount(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() { keyvaultSignedRequest }: CreateWalletAccountRequest,
  ) {
    return this.accounts.create(environmentId, caller, keyvaultSignedRequest, client);
  }

  @Get('deleteRequest')
  @Operation({
    id: 'legacyGetEmbeddedWalletsDeleteRequest',
    summary: 'Older form of preparing the delete request body',
    description: 'Covers all embedded wallets of the user that are not hidden.',
    errors: [400, 422],
    deprecated: true,
  })
  @EndUser()
  @ServiceTokens('wallets')
  @Returns(KeyvaultDeleteEmbeddedWalletsRequestBody)
  legacyGetEmbeddedWalletsDeleteRequest(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
  ) {
    return this.deletionRequests.prepare(environmentId, caller, null);
  }

  @Get(':walletId/deleteRequest')
  @Operation({
    id: 'getEmbeddedWalletsDeleteRequest',
    summary: 'Prepare the request body a user signs to delete a wallet',
    errors: [400, 422],
  })
  @EndUser()
  @ServiceTokens('wallets')
  @Returns(KeyvaultDeleteEmbeddedWalletsRequestBody)
  getEmbeddedWalletsDeleteRequest(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
  ) {
    return this.deletionRequests.prepare(environmentId, caller, walletId);
  }

  @Delete()
  @Operation({
    id: 'deleteEmbeddedWallets',
    summary: 'Delete embedded wallets with a key-vault signed request',
    description: `${SIGNED} Either all wallets that it names are deleted or none; with the last one the keys are disabled, and destroyed after 30 days. The service's shares of a shared key are deleted with the wallet at once.`,
    errors: [403, 422],
    sessionErrors: true,
    events: [WALLET_DELETED.name],
  })
  @EndUser()
  @ServiceTokens('wallets')
  // Optional in the contract, as DELETE rarely has a body. A call without one is refused.
  @ReturnsNothing()
  deleteEmbeddedWallets(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @OptionalBody(DeleteEmbeddedWalletsRequest) { keyvaultSignedRequest }: DeleteEmbeddedWalletsRequest,
  ) {
    return this.deletion.delete(environmentId, caller, keyvaultSignedRequest);
  }
}
