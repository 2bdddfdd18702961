import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import { DEFAULT_ROOMS, type CreateRoomsRequest, type CreateRoomsWithoutWalletIdRequest } from './room.dto.js';
import { RoomsService } from './rooms.service.js';

/** Rooms that users open in advance. */
@Injectable()
export class RoomMaking {
  constructor(
    private readonly rooms: RoomsService,
    private readonly wallets: ThresholdWallets,
  ) {}

  /** @throws ApiError too_many_rooms, ceremonies_locked */
  async open(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { roomType: type, roomCount: count = DEFAULT_ROOMS, thresholdSignatureScheme }: CreateRoomsWithoutWalletIdRequest,
  ): Promise<{ roomIds: string[] }> {
    const room = { type, count, scheme: thresholdSignatureScheme, walletId: null };
    return { roomIds: await this.rooms.open(environmentId, caller, room) };
  }

  /** @throws ApiError not_found, threshold_wallet_only, too_many_rooms, ceremonies_locked */
  async openForWallet(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
    { roomType: type, roomCount: count = DEFAULT_ROOMS }: CreateRoomsRequest,
  ): Promise<{ roomIds: string[] }> {
    const wallet = await this.wallets.getAny(environmentId, caller.userId, walletId);
    const room = { type, count, scheme: null, walletId: wallet.walletId };
    return { roomIds: await this.rooms.open(environmentId, caller, room) };
  }
}
