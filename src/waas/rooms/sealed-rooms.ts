/* eslint-disable no-restricted-syntax -- the rotation of the master key works on the rows of every tenant */
import { Injectable } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { ThresholdKeys } from '../../custody/index.js';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { SealedRoomsRepository, type SealedRoomRow } from './sealed-rooms.repository.js';

/** Running ceremonies, as seen by master key rotation. */
@Injectable()
export class SealedRooms extends SealedTable<SealedRoomRow> {
  readonly name = 'ceremony_rooms.sealed_state';

  constructor(
    rows: SealedRoomsRepository,
    private readonly keys: ThresholdKeys,
    private readonly vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedRoomRow): Promise<SealedRoomRow> {
    const { environmentId, id, userId, sealedState } = row;
    const ceremony = { environmentId: mintEnvironmentId(environmentId), userId, roomId: id };
    const rewrapped = sealedState && (await this.keys.signer.rewrapState(ceremony, sealedState));
    return {
      ...row,
      sealedState: rewrapped?.sealed ?? sealedState,
      masterKeyId: rewrapped?.masterKeyId ?? this.vault.currentKeyId,
    };
  }
}
