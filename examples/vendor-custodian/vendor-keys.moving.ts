import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../src/database/index.js';
import { MovingPart, moves, MovingParts } from '../../src/moving/index.js';
import { VendorKeysRow } from './vendor-keys.entity.js';
import { VendorKeysRepository } from './vendor-keys.repository.js';

/**
 * The vendor keeps the keys; the records of them move with the wallets. Both installations then know the same keys, so
 * neither may have them destroyed because its own environment goes.
 */
@Injectable()
export class VendorKeysMoving extends MovingPart {
  readonly moving = [moves(VendorKeysRow, { unless: 'destroyAfter' })];
  readonly staying = [];

  constructor(
    parts: MovingParts,
    private readonly keys: VendorKeysRepository,
  ) {
    super(parts);
  }

  override exporting(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    return this.keys.noteExport(environmentId, tx);
  }
}
