import { Injectable } from '@nestjs/common';
import { MovingPart, stays } from '../moving/index.js';
import { CeremonyMessage } from './rooms/room-message.entity.js';
import { CeremonyRoom } from './rooms/room.entity.js';

@Injectable()
export class WaasMoving extends MovingPart {
  readonly moving = [];
  readonly staying = [...stays('begun here, and over within a minute', CeremonyRoom, CeremonyMessage)];
}
