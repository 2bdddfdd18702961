import { Injectable } from '@nestjs/common';
import { Envelope, openOffer, sealTo, SecretBytes, type SealContext } from '../vault/index.js';
import type { ArchivedRow, MovedSeal, SealHands } from './moving-part.js';

/** What opens and seals a column: the envelope of this process, unless its context provides something else. */
@Injectable()
export class Seals {
  constructor(private readonly envelope: Envelope) {}

  handsOf({ by }: Pick<MovedSeal, 'by'>): SealHands {
    return typeof by === 'function' ? this.envelopeHands(by) : by;
  }

  private envelopeHands(contextOf: (row: ArchivedRow) => SealContext): SealHands {
    const { envelope } = this;
    return {
      release: async (_environmentId, row, sealed, { publicKey, info, aad }) => {
        const secret = await envelope.open(sealed, contextOf(row));
        try {
          return await sealTo({ kem: 'X25519', publicKey, info }, secret.expose(), aad);
        } finally {
          secret.wipe();
        }
      },
      admit: async (_environmentId, row, { secret: operator, info, aad, ...message }) => {
        const opened = await openOffer(operator, message, { info, aad });
        if (!opened) return null;
        const secret = SecretBytes.from(opened);
        try {
          const sealed = await envelope.seal(secret, contextOf(row));
          return { sealed, masterKeyId: envelope.keyIdOf(sealed) };
        } finally {
          secret.wipe();
        }
      },
    };
  }
}
