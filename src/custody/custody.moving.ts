import { Injectable } from '@nestjs/common';
import { MovingPart, moves, MovingParts, stays } from '../moving/index.js';
import { KeyImportRow } from './imports/key-import.entity.js';
import { KeyLedgerHead } from './ledger/key-ledger-head.entity.js';
import { KeyLedgerRow } from './ledger/key-ledger-row.entity.js';
import { KeyShareSet } from './threshold/key-share-set.entity.js';
import { sharesContext } from './threshold/threshold-signer.js';
import { SeedHands } from './v1/seed-hands.js';
import { WalletSeed } from './v1/wallet-seed.entity.js';

/** The ledger moves as written; releases are recorded in the source's ledger, admissions in the target's. */
@Injectable()
export class CustodyMoving extends MovingPart {
  readonly moving;
  readonly staying = [...stays('begun here, and over within minutes', KeyImportRow)];

  constructor(hands: SeedHands, parts: MovingParts) {
    super(parts);
    this.moving = [
      moves(KeyLedgerHead, { outlives: true }),
      // A ledger that already exists here keeps its head, so rows beyond that head are not moved: the next use of a key
      // would find its sequence number taken.
      moves(KeyLedgerRow, {
        outlives: true,
        upTo: { column: 'sequence', entity: KeyLedgerHead, of: 'sequence' },
      }),
      moves(KeyShareSet, {
        seal: {
          column: 'sealedShares',
          by: (row) =>
            sharesContext(row['protocol'] === 'SHAMIR' ? 'SHAMIR' : 'FROST', {
              environmentId: String(row['environment_id']),
              userId: String(row['user_id']),
              keysId: String(row['id']),
            }),
        },
      }),
      moves(WalletSeed, { unless: 'destroyAfter', seal: { column: 'sealedEntropy', by: hands } }),
    ];
  }
}
