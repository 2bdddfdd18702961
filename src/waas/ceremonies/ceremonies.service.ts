import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { ApiError } from '../../common/errors/index.js';
import {
  CeremonyFault,
  parseKeygenShares,
  parseReshareShares,
  parseSigningShares,
  parseSplitDeal,
  parseSplitKey,
  parseSplitSignature,
} from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import type { RoomMessages } from '../rooms/room.dto.js';
import { isSplitRoom, NOBODYS_FAULT, type AnyTakenRoom } from '../rooms/rooms.repository.js';
import { RoomsService } from '../rooms/rooms.service.js';
import { ceremonyAborted, malformedCeremonyMessage } from '../waas.errors.js';
import { KeygenService } from './keygen.service.js';
import { ReshareService } from './reshare.service.js';
import { SigningService } from './signing.service.js';
import { SplitKeygenService } from './split-keygen.service.js';
import { SplitSigningService, type OneTimeMessage } from './split-signing.service.js';

/** The parser for each message type. */
const READERS: Readonly<Record<string, (sent: Record<string, unknown>) => unknown>> = {
  'keygen.shares': parseKeygenShares,
  'reshare.shares': parseReshareShares,
  'split.deal': parseSplitDeal,
  'split.key': parseSplitKey,
  'split.signature': parseSplitSignature,
};

/** Passes users' messages to their ceremonies. */
@Injectable()
export class CeremoniesService {
  constructor(
    private readonly rooms: RoomsService,
    private readonly keygen: KeygenService,
    private readonly signing: SigningService,
    private readonly reshares: ReshareService,
    private readonly splitKeygen: SplitKeygenService,
    private readonly splitSigning: SplitSigningService,
  ) {}

  /**
   * A malformed message leaves the room unchanged. The first well-formed message is accepted; if it is invalid, the
   * ceremony is aborted.
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
    let own: OneTimeMessage = null;
    try {
      own = await this.answer(environmentId, caller, room, sent);
    } catch (error) {
      const [failed, refused] = NOBODYS_FAULT;
      const isRefused = error instanceof ApiError && error.status < 500;
      const reason = error instanceof CeremonyFault ? error.message : isRefused ? refused : failed;
      await this.rooms.abort(environmentId, caller, roomId, reason);
      if (!(error instanceof CeremonyFault)) throw error;
      throw ceremonyAborted({ payload: { reason, ...(error.party !== null && { party: error.party }) } });
    }
    const view = await this.rooms.read(environmentId, caller, roomId, { after: 2 * room.round });
    return own ? { ...view, messages: view.messages.map((one) => ({ ...one, message: own })) } : view;
  }

  private async answer(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    room: AnyTakenRoom,
    sent: Record<string, unknown>,
  ): Promise<OneTimeMessage> {
    const about = [environmentId, caller] as const;
    if (isSplitRoom(room)) {
      if (room.kind === 'keygen') return this.splitKeygen.answer(...about, room, sent);
      return this.splitSigning.answer(...about, room, sent);
    }
    if (room.kind === 'keygen') await this.keygen.answer(...about, room, sent);
    else if (room.kind === 'sign') await this.signing.answer(...about, room, sent);
    else await this.reshares.answer(...about, room, sent);
    return null;
  }
}

function typeOf(sent: Record<string, unknown>): string {
  try {
    const type = String(sent['type']);
    const read = Object.hasOwn(READERS, type) ? READERS[type]! : parseSigningShares;
    read(sent);
  } catch (error) {
    if (!(error instanceof CeremonyFault)) throw error;
    throw malformedCeremonyMessage({ payload: { reason: error.message } });
  }
  return sent['type'] as string;
}
