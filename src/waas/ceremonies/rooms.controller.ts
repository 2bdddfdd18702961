import { Body, Get, Post, Query } from '@nestjs/common';
import { Caller, EndUser, Environment, type EndUserPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { DELEGATION_REVOKED, WALLET_CREATED, WALLET_UPGRADED } from '../../wallets/index.js';
import { CeremoniesService } from './ceremonies.service.js';
import { WALLET_KEY_RELEASED, WALLET_RESHARED, WALLET_SIGNED } from '../waas.events.js';
import {
  CreateRoomsRequest,
  CreateRoomsResponse,
  CreateRoomsWithoutWalletIdRequest,
  CreateRoomsWithoutWalletIdResponse,
  MAX_WAIT_SECONDS,
  PostRoomMessageRequest,
  ReadRoomQuery,
  RoomMessages,
} from '../rooms/room.dto.js';
import { RoomMaking } from '../rooms/room-making.service.js';
import { MAX_OPEN_ROOMS, ROOM_SECONDS } from '../rooms/rooms.repository.js';
import { RoomsService } from '../rooms/rooms.service.js';

const LIMITS = [`${MAX_OPEN_ROOMS} open rooms per user`, `${ROOM_SECONDS} seconds per room`];

/** Rooms of the caller's session, and the messages in them. */
@ApiController('sdk/:environmentId/waas', 'Waas')
export class RoomsController {
  constructor(
    private readonly making: RoomMaking,
    private readonly rooms: RoomsService,
    private readonly ceremonies: CeremoniesService,
  ) {}

  @Post('createRooms')
  @Operation({
    id: 'createRoomsWithoutWalletId',
    summary: 'Open ceremony rooms before a wallet exists',
    description:
      'createWaasAccount takes the oldest room of type `full` with its scheme, signMessage one of type `threshold`.',
    errors: [403, 422],
    limits: LIMITS,
  })
  @EndUser()
  @Returns(CreateRoomsWithoutWalletIdResponse)
  createRoomsWithoutWalletId(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Body() request: CreateRoomsWithoutWalletIdRequest,
  ) {
    return this.making.open(environmentId, caller, request);
  }

  @Post(':walletId/createRooms')
  @Operation({
    id: 'createRooms',
    summary: 'Open several ceremony rooms for a wallet',
    errors: [403, 422],
    limits: LIMITS,
  })
  @EndUser()
  @Returns(CreateRoomsResponse)
  createRooms(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
    @Body() request: CreateRoomsRequest,
  ) {
    return this.making.openForWallet(environmentId, caller, walletId, request);
  }

  @Post('rooms/:roomId/messages')
  @Operation({
    id: 'postRoomMessage',
    summary: 'Send the next message of a ceremony',
    description:
      'Returns the messages that follow it. A malformed message leaves the room unchanged; an invalid one closes it. Any instance can handle the call, and each message is processed once.',
    errors: [403, 409, 422],
    events: [
      WALLET_CREATED.name,
      WALLET_KEY_RELEASED.name,
      WALLET_RESHARED.name,
      WALLET_SIGNED.name,
      WALLET_UPGRADED.name,
      DELEGATION_REVOKED.name,
    ],
  })
  @EndUser()
  @Returns(RoomMessages)
  postRoomMessage(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('roomId') roomId: string,
    @Body() { message }: PostRoomMessageRequest,
  ) {
    return this.ceremonies.post(environmentId, caller, roomId, message);
  }

  @Get('rooms/:roomId/messages')
  @Operation({
    id: 'getRoomMessages',
    summary: 'Read the messages of a ceremony',
    description: 'Messages after `after`; with `waitSeconds`, the call waits until there is one or the room is closed.',
    errors: [403],
    limits: [`waits for at most ${MAX_WAIT_SECONDS} seconds`],
  })
  @EndUser()
  @Returns(RoomMessages)
  getRoomMessages(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('roomId') roomId: string,
    @Query() query: ReadRoomQuery,
  ) {
    return this.rooms.read(environmentId, caller, roomId, query);
  }
}
