import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { tooManyRequests } from '../../../common/errors/index.js';
import { Config } from '../../../config/index.js';
import type { EnvironmentId, Executor, Transaction } from '../../../database/index.js';
import { EmailProviders } from '../../../providers/index.js';
import { invalidEmail } from '../../credentials/identifier.errors.js';
import { normaliseEmail } from '../../credentials/identifiers.js';
import {
  emailCodeSignInDisabled,
  invalidEmailVerification,
  tooManyEmailAttempts,
  wrongEmailCode,
} from './email-code.errors.js';
import { EmailCodesRepository, MAX_FAILURES, type NewEmailCode, type SendingLimits } from './email-codes.repository.js';
import { CodeMails } from './code-mails.js';
import { codeHmac, destinationHash, sameHmac } from './one-time-code.js';
import { Pepper } from './pepper.js';
import { sendingLimits } from './sending-limits.js';

const TTL_MINUTES = 10;

export interface StartedVerification {
  verificationUUID: string;
  email: string;
}

/** A code that was right: whose mailbox it proves, and the step that makes it unusable. */
export interface ProvenEmail {
  /** In normal form. */
  email: string;
  /** Part of the transaction that the proof is for. @throws 422 when somebody else used the code first */
  redeem: (tx: Transaction) => Promise<void>;
}

/**
 * One-time codes by email. Nothing here looks at users, so known and unknown addresses cannot be told apart.
 * A guesser has 5 tries on each of 10 codes a day: a chance of 5 in 100 000 for an address and a day.
 */
@Injectable()
export class EmailCodes {
  private readonly limits: SendingLimits;

  constructor(
    private readonly codes: EmailCodesRepository,
    private readonly pepper: Pepper,
    private readonly providers: EmailProviders,
    private readonly mails: CodeMails,
    config: Config,
  ) {
    this.limits = sendingLimits(config.get('RATE_LIMIT_SCALE'));
  }

  /** Sends a code to an address and answers the verification it belongs to. One statement besides the message. */
  async start(environmentId: EnvironmentId, address: string): Promise<StartedVerification> {
    const { code, secret } = await this.prepare(environmentId, randomUUID(), address);
    if (!(await this.codes.create(environmentId, code, this.limits))) await this.refuse(environmentId, code);
    return this.send(environmentId, code, secret, address);
  }

  /** Sends another code for the same verification and address; the code before is dead. */
  async restart(environmentId: EnvironmentId, verificationId: string, address: string): Promise<StartedVerification> {
    const { code, secret } = await this.prepare(environmentId, verificationId.toLowerCase(), address);
    if (!(await this.codes.replace(environmentId, code, this.limits))) {
      if (!(await this.codes.isOpen(environmentId, code.id, code.email))) throw invalidEmailVerification();
      await this.refuse(environmentId, code);
    }
    return this.send(environmentId, code, secret, address);
  }

  /** Checks a code. The try counts before the comparison, and stays counted. @throws 422 for anything but a right code */
  async prove(environmentId: EnvironmentId, verificationId: string, code: string): Promise<ProvenEmail> {
    await this.providers.assertEnabled(environmentId);
    const id = verificationId.toLowerCase();
    const given = codeHmac(await this.pepper.bytes(), { environmentId, verificationId: id }, code);
    const { email, codeHmac: expected, isCounted, isExhausted } = await this.codes.attempt(environmentId, id);
    if (isExhausted) throw tooManyEmailAttempts();
    if (email !== null && !isCounted) throw emailCodeSignInDisabled();
    // Without a code there is something to compare all the same, and the result is never a match.
    const isRight = sameHmac(expected ?? Buffer.alloc(given.length), given) && expected !== null;
    if (!isRight || email === null || !(await this.mails.isGood(environmentId, email))) throw wrongEmailCode();
    return {
      email,
      redeem: async (tx) => {
        if (!(await this.codes.consume(environmentId, id, given, tx))) throw wrongEmailCode();
      },
    };
  }

  /** Another factor of the account succeeded: its addresses may receive codes again. */
  async forgive(environmentId: EnvironmentId, addresses: readonly string[], on: Executor): Promise<void> {
    const pepper = await this.pepper.bytes();
    const hashes = addresses.flatMap((address) => {
      const email = normaliseEmail(address)?.normal;
      return email ? [destinationHash(pepper, environmentId, email)] : [];
    });
    if (hashes.length > 0) await this.codes.forgive(environmentId, hashes, on);
  }

  private async prepare(
    environmentId: EnvironmentId,
    verificationId: string,
    address: string,
  ): Promise<{ code: NewEmailCode; secret: string }> {
    await this.providers.assertEnabled(environmentId);
    const email = normaliseEmail(address)?.normal;
    if (!email) throw invalidEmail();
    const secret = await this.mails.codeFor(environmentId, email);
    const pepper = await this.pepper.bytes();
    return {
      secret,
      code: {
        id: verificationId,
        email,
        destinationHash: destinationHash(pepper, environmentId, email),
        codeHmac: codeHmac(pepper, { environmentId, verificationId }, secret),
        ttlSeconds: TTL_MINUTES * 60,
      },
    };
  }

  private async refuse(environmentId: EnvironmentId, { destinationHash: hash }: NewEmailCode): Promise<never> {
    const refusal = await this.codes.findRefusal(environmentId, hash, this.limits);
    if (refusal && refusal.failures >= MAX_FAILURES) throw emailCodeSignInDisabled();
    throw tooManyRequests({ retryAfterSeconds: Math.max(1, Math.ceil(refusal?.wait ?? 1)) });
  }

  /** The answer repeats the address as it was given. The message goes to the normal form: that is what it proves. */
  private async send(
    environmentId: EnvironmentId,
    { id, email }: NewEmailCode,
    code: string,
    address: string,
  ): Promise<StartedVerification> {
    await this.mails.send(environmentId, email, code, TTL_MINUTES);
    return { verificationUUID: id, email: address };
  }
}
