import { Body, Headers, Post } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Caller,
  Client,
  ELEVATED_TOKEN_HEADER,
  EndUser,
  Environment,
  MFA_TOKEN_HEADER,
  SecondFactorFor,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { RESHARES, SIGNATURES } from '../../custody/index.js';
import { OpenRoomResponseWithServerKeygenIds } from '../../wallets/index.js';
import { MAX_OPEN_ROOMS, ROOM_SECONDS } from '../rooms/rooms.repository.js';
import {
  CreateWaasAccountRequest,
  OpenRoomResponse,
  OpenRoomResponseForReshare,
  ReshareRequest,
  SignMessageWithWaasRequest,
} from './ceremony.dto.js';
import { OpeningsService } from './openings.service.js';
import { ReshareService } from './reshare.service.js';

const RESHARE_LIMIT = `${RESHARES.limit} refreshes and reshares per hour and user`;
const ROOM_LIMITS = [`${MAX_OPEN_ROOMS} open rooms per user`, `${ROOM_SECONDS} seconds per room`];

@ApiController('sdk/:environmentId/waas', 'Waas')
export class CeremoniesController {
  constructor(
    private readonly openings: OpeningsService,
    private readonly reshares: ReshareService,
  ) {}

  @Post('create')
  @Operation({
    id: 'createWaasAccount',
    summary: 'Open the key-generation ceremony for a new account with a shared key',
    description:
      'The user and the service generate a key that neither of them has (FROST, RFC 9591, with distributed key generation). Shares are encrypted to `clientKeygenIds` and `serverKeygenIds`; messages are sent with postRoomMessage. The wallet exists once both sides have proved their shares with a signature. docs/threshold.md has the ceremony. On `EVM` the device generates the key, splits it, and deals the service its shares (version V2): such a key is whole on the device while it is used, so a device that was given the shares can keep it.',
    errors: [403, 409, 422],
    limits: ROOM_LIMITS,
  })
  @EndUser()
  @Returns(OpenRoomResponseWithServerKeygenIds)
  createWaasAccount(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Body() request: CreateWaasAccountRequest,
  ) {
    return this.openings.createAccount(environmentId, caller, request);
  }

  @Post(':walletId/signMessage')
  @Operation({
    id: 'signMessage',
    summary: 'Open the signing ceremony for a message or transaction',
    description:
      'The request is parsed and checked against the environment’s signing policy first, and the room is only for that request. The service commits to its nonces immediately; its share is released once, after the user’s shares were verified. For a split key (version V2) it releases its shares to a one-time key of the device, which signs with the whole key: the policy only binds honest devices.',
    errors: [403, 409, 422],
    limits: [...ROOM_LIMITS, `${SIGNATURES.limit} signatures per minute and user`],
  })
  @EndUser()
  @SecondFactorFor('wallet.waas.sign')
  @Returns(OpenRoomResponse)
  signMessage(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
    @Body() request: SignMessageWithWaasRequest,
  ) {
    return this.openings.sign(environmentId, caller, walletId, request);
  }
  @Post(':walletId/refresh')
  @Operation({
    id: 'refreshKeyShares',
    summary: 'Open the ceremony that refreshes key shares',
    description:
      'The user and the service deal new shares of the same key under the same scheme. Old and new ones never combine. The old ones stay in use until the new ones have signed, and are then destroyed. docs/threshold.md has the ceremony.',
    errors: [400, 403, 409, 422],
    limits: [...ROOM_LIMITS, RESHARE_LIMIT],
  })
  @EndUser()
  @SecondFactorFor('wallet.waas.refresh')
  @Returns(OpenRoomResponseWithServerKeygenIds)
  refreshKeyShares(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
  ) {
    return this.reshares.refresh(environmentId, caller, walletId);
  }

  @Post(':walletId/reshare')
  @Operation({
    id: 'reshare',
    summary: 'Open the ceremony that changes the threshold scheme',
    description:
      'Like refreshKeyShares, but changes the number of shares and how many of them sign. The address stays the same. With schemes that give the user several shares, one of them is enough, so a lost one can be replaced. Changing from TWO_OF_TWO to one of these gives the user the whole key: it then has the requirements of exportPrivateKey, including second factors, and the user is notified by email.',
    errors: [403, 409, 422],
    limits: [...ROOM_LIMITS, RESHARE_LIMIT],
  })
  @EndUser()
  @SecondFactorFor('wallet.waas.reshare')
  @ApiHeader({
    name: ELEVATED_TOKEN_HEADER,
    required: false,
    description:
      'The `elevatedAccessToken` of a proof with `wallet:export` among its `requestedScopes`; asked for where the user has enough shares to sign alone by the new scheme, and not by the old one.',
    schema: { type: 'string' },
  })
  @Returns(OpenRoomResponseForReshare)
  reshare(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @IdParam('walletId') walletId: string,
    @Headers(ELEVATED_TOKEN_HEADER) elevated: string | undefined,
    @Headers(MFA_TOKEN_HEADER) mfaToken: string | undefined,
    @Body() request: ReshareRequest,
  ) {
    const release = { elevated: elevated ?? null, mfaToken: mfaToken ?? null, client };
    return this.reshares.reshare(environmentId, caller, { walletId, ...release }, request);
  }
}
