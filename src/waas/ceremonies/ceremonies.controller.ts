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
      'The user and the service generate a key that neither holds as a whole (FROST, RFC 9591, with distributed key generation). Shares are sealed to `clientKeygenIds` and `serverKeygenIds`; messages are sent with postRoomMessage. The wallet exists once both sides have proved their shares with a signature. docs/threshold.md describes the ceremony. On `EVM` the device generates the key, splits it, and deals the service its shares (version V2): such a key is whole on the device while in use, so a device that was given the shares can keep it.',
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
      'The content is parsed and checked against the signing policy first, and the room is for that content only. The service commits to its nonces at once; it releases its signature share once, after verifying those of the user. For a split key (version V2) it releases its key shares to a one-time key of the device, which signs with the whole key: the policy binds only honest devices.',
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
      'The user and the service deal new shares of the same key in the same scheme. Old and new shares cannot be combined. The old ones remain in use until the new ones have signed, and are then destroyed. docs/threshold.md describes the ceremony.',
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
      'Like refreshKeyShares, with another total or threshold of shares. The address does not change. In schemes that give a user several shares, one of them is enough, so a lost one can be replaced. Going from TWO_OF_TWO to such a scheme gives the user the whole key: it then has the same requirements as exportPrivateKey, including second factors, and the user is notified by email.',
    errors: [403, 409, 422],
    limits: [...ROOM_LIMITS, RESHARE_LIMIT],
  })
  @EndUser()
  @SecondFactorFor('wallet.waas.reshare')
  @ApiHeader({
    name: ELEVATED_TOKEN_HEADER,
    required: false,
    description:
      'The `elevatedAccessToken` of a proof with `wallet:export` among its `requestedScopes`; required if the user has enough shares to sign alone in the new scheme but not in the old one.',
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
