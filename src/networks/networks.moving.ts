import { Injectable } from '@nestjs/common';
import { MovingPart, moves } from '../moving/index.js';
import { CustomNetworkRow } from './custom-network.entity.js';

@Injectable()
export class NetworksMoving extends MovingPart {
  readonly moving = [moves(CustomNetworkRow, { reach: 'organization' })];
  readonly staying = [];
}
