import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { CeremonyRoom } from './room.entity.js';

export type SealedRoomRow = SealedRow<CeremonyRoom, 'environmentId' | 'id' | 'userId', 'sealedState'>;

/** Running ceremonies, for master key rotation. */
@Injectable()
export class SealedRoomsRepository extends SealedColumns<
  CeremonyRoom,
  'environmentId' | 'id' | 'userId',
  'sealedState'
> {
  constructor(database: Database) {
    super(database, CeremonyRoom, { key: ['environmentId', 'id', 'userId'], columns: ['sealedState'] });
  }
}
