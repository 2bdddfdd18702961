import { Injectable } from '@nestjs/common';
import { MovingPart, moves } from '../../src/moving/index.js';
import { VendorKeysRow } from './vendor-keys.entity.js';

/** The vendor keeps the keys; what is known of them here goes with the wallets. */
@Injectable()
export class VendorKeysMoving extends MovingPart {
  readonly moving = [moves(VendorKeysRow, { unless: 'destroyAfter' })];
  readonly staying = [];
}
