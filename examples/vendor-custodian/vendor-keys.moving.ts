import { Injectable } from '@nestjs/common';
import { MovingPart, moves } from '../../src/moving/index.js';
import { VendorKeysRow } from './vendor-keys.entity.js';

/** The vendor keeps the keys; the records of them move with the wallets. */
@Injectable()
export class VendorKeysMoving extends MovingPart {
  readonly moving = [moves(VendorKeysRow, { unless: 'destroyAfter' })];
  readonly staying = [];
}
