import { Injectable } from '@nestjs/common';
import { Envelope, type PreparedSeal, type SealContext } from '../vault/index.js';
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

  /** Before the transaction that will hold the answer: the vault may be far away. */
  async prepare(holder: AnswerHolder): Promise<AnswerSealer> {
    return new AnswerSealer(await this.envelope.prepare(contextOf(holder)), this.envelope);
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
    return described((await this.envelope.rewrap(sealed, contextOf(holder))) ?? sealed, this.envelope);
  }
}

/** Seals the one answer that it was made for. */
export class AnswerSealer {
  constructor(
    private readonly prepared: PreparedSeal,
    private readonly envelope: Envelope,
  ) {}

  seal(status: number, body: string | undefined): SealedAnswer {
    const plain = Buffer.from(body ?? '');
    try {
      return { status, ...described(this.prepared.seal(plain), this.envelope) };
    } finally {
      plain.fill(0);
    }
  }

  discard(): void {
    this.prepared.discard();
  }
}

const described = (sealedBody: Buffer, envelope: Envelope): Pick<SealedAnswer, 'sealedBody' | 'masterKeyId'> => ({
  sealedBody,
  masterKeyId: envelope.keyIdOf(sealedBody),
});
