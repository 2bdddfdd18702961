import { Injectable } from '@nestjs/common';
import { Envelope, type PreparedSeal, type SealContext } from '../vault/index.js';
import type { SealedAnswer } from './idempotency-keys.repository.js';
import type { KeyedCall } from './keyed-call.js';

/** The row that holds a response. */
export type AnswerHolder = Pick<KeyedCall, 'environmentId' | 'id'> | { environmentId: string; id: string };

const contextOf = ({ environmentId, id }: AnswerHolder): SealContext => ({
  purpose: 'idempotency-key',
  environmentId,
  subjectId: id,
  kind: 'answer',
});

/** Encryption of stored response bodies. All are sealed: the response that creates a token contains that token. */
@Injectable()
export class AnswerSeal {
  constructor(private readonly envelope: Envelope) {}

  /** Call it before the transaction that will store the response: the vault may be remote. */
  async prepare(holder: AnswerHolder): Promise<AnswerSealer> {
    return new AnswerSealer(await this.envelope.prepare(contextOf(holder)), this.envelope);
  }

  /** Undefined if the response had no body. */
  async open(sealedBody: Buffer, holder: AnswerHolder): Promise<string | undefined> {
    const bytes = await this.envelope.open(sealedBody, contextOf(holder));
    try {
      return bytes.expose().toString() || undefined;
    } finally {
      bytes.wipe();
    }
  }

  /** The same body, sealed under the vault's current key. */
  async rewrap(sealed: Buffer, holder: AnswerHolder): Promise<Pick<SealedAnswer, 'sealedBody' | 'masterKeyId'>> {
    return described((await this.envelope.rewrap(sealed, contextOf(holder))) ?? sealed, this.envelope);
  }
}

/** Seals the one response that it was created for. */
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
