import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { ApiError } from '../../common/errors/index.js';
import { CeremonyFault, parseKeygenShares, parseReshareShares, parseSigningShares } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import type { RoomMessages } from '../rooms/room.dto.js';
import type { CeremonyKind } from '../rooms/room.entity.js';
import { NOBODYS_FAULT } from '../rooms/rooms.repository.js';
import { RoomsService } from '../rooms/rooms.service.js';
import { ceremonyAborted, malformedCeremonyMessage } from '../waas.errors.js';
import { KeygenService } from './keygen.service.js';
import { ReshareService } from './reshare.service.js';
import { SigningService } from './signing.service.js';

/** Messages of users, handed to the ceremony that they belong to. */
@Injectable()
export class CeremoniesService {
  constructor(
    private readonly rooms: RoomsService,
    private readonly keygen: KeygenService,
    private readonly signing: SigningService,
    private readonly reshares: ReshareService,
  ) {}

  /**
   * A message that has not the form of one leaves the room as it is. Of the others the first is taken, and a ceremony in
   * which it is not right is given up.
   *
   * @throws ApiError malformed_ceremony_message, not_found, room_over, ceremony_aborted
   */
  async post(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    roomId: string,
    sent: Record<string, unknown>,
  ): Promise<RoomMessages> {
    const type = typeOf(sent);
    const room = await this.rooms.take(environmentId, caller, roomId, type);
    try {
      await this.ceremonyOf(room.kind).answer(environmentId, caller, room, sent);
    } catch (error) {
      const [failed, refused] = NOBODYS_FAULT;
      const isRefused = error instanceof ApiError;
      const reason = error instanceof CeremonyFault ? error.message : isRefused ? refused : failed;
      await this.rooms.abort(environmentId, caller, roomId, reason);
      if (!(error instanceof CeremonyFault)) throw error;
      throw ceremonyAborted({ payload: { reason, ...(error.party !== null && { party: error.party }) } });
    }
    return this.rooms.read(environmentId, caller, roomId, { after: 2 * room.round });
  }

  private ceremonyOf(kind: CeremonyKind): KeygenService | SigningService | ReshareService {
    if (kind === 'keygen') return this.keygen;
    return kind === 'sign' ? this.signing : this.reshares;
  }
}

function typeOf(sent: Record<string, unknown>): string {
  try {
    if (sent['type'] === 'keygen.shares') parseKeygenShares(sent);
    else if (sent['type'] === 'reshare.shares') parseReshareShares(sent);
    else parseSigningShares(sent);
  } catch (error) {
    if (!(error instanceof CeremonyFault)) throw error;
    throw malformedCeremonyMessage({ payload: { reason: error.message } });
  }
  return sent['type'] as string;
}
