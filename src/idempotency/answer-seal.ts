import { Injectable } from '@nestjs/common';
import { Envelope, type SealContext } from '../vault/index.js';
import type { SealedAnswer } from './idempotency-keys.repository.js';
import type { KeyedCall } from './keyed-call.js';

/** The row that holds an answer. */
export type AnswerHolder = Pick<KeyedCall, 'environmentId' | 'id'> | { environmentId: string; id: string };

const contextOf = ({ environmentId, id }: AnswerHolder): SealContext => ({
  purpose: 'idempotency-key',
  environmentId,
  subjectId: id,
  kind: 'answer',
});

/** Bodies of answers at rest. All are sealed: the answer to the creation of a token is that token. */
@Injectable()
export class AnswerSeal {
  constructor(private readonly envelope: Envelope) {}

  async seal(status: number, body: string | undefined, holder: AnswerHolder): Promise<SealedAnswer> {
    const plain = Buffer.from(body ?? '');
    try {
      return { status, ...this.described(await this.envelope.seal(plain, contextOf(holder))) };
    } finally {
      plain.fill(0);
    }
  }

  /** Undefined where nothing was answered. */
  async open(sealedBody: Buffer, holder: AnswerHolder): Promise<string | undefined> {
    const bytes = await this.envelope.open(sealedBody, contextOf(holder));
    try {
      return bytes.expose().toString() || undefined;
    } finally {
      bytes.wipe();
    }
  }

  /** The same body under the current key of the vault. */
  async rewrap(sealed: Buffer, holder: AnswerHolder): Promise<Pick<SealedAnswer, 'sealedBody' | 'masterKeyId'>> {
    return this.described((await this.envelope.rewrap(sealed, contextOf(holder))) ?? sealed);
  }

  private described(sealedBody: Buffer): Pick<SealedAnswer, 'sealedBody' | 'masterKeyId'> {
    return { sealedBody, masterKeyId: this.envelope.keyIdOf(sealedBody) };
  }
}
