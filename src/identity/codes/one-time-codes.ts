import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { tooManyRequests } from '../../common/errors/index.js';
import { Config } from '../../config/index.js';
import type { EnvironmentId, Executor, Transaction } from '../../database/index.js';
import type { CodeChannel } from './code-channel.js';
import { CodesRepository, MAX_FAILURES, type NewCode, type SendingLimits } from './codes.repository.js';
import { codeHmac, destinationHash, sameHmac } from './one-time-code.js';
import { Pepper } from './pepper.js';
import { sendingLimits } from './sending-limits.js';

/** A code that was right: what it proves, and the step that makes it unusable. */
export interface ProvenAddress {
  /** In normal form. */
  address: string;
  /** Part of the transaction that the proof is for. @throws 422 when somebody else used the code first */
  redeem: (tx: Transaction) => Promise<void>;
}

/**
 * One-time codes, whatever the channel. Nothing here looks at users, so known and unknown addresses cannot be told
 * apart. A guesser has 5 tries on each of 10 codes a day: a chance of 5 in 100 000 for an address and a day.
 */
@Injectable()
export class OneTimeCodes {
  private readonly limits: SendingLimits;

  constructor(
    private readonly codes: CodesRepository,
    private readonly pepper: Pepper,
    config: Config,
  ) {
    this.limits = sendingLimits(config.get('RATE_LIMIT_SCALE'));
  }

  /** Sends a code to an address and answers the id of its verification. */
  async start(environmentId: EnvironmentId, channel: CodeChannel, given: string): Promise<string> {
    const { code, secret } = await this.prepare(environmentId, channel, randomUUID(), given);
    if (!(await this.codes.create(environmentId, channel.name, code, this.limits)))
      await this.refuse(environmentId, channel, code);
    await channel.send(environmentId, code.address, secret);
    return code.id;
  }

  /** Sends another code for the same verification and address; the code before is dead. */
  async restart(
    environmentId: EnvironmentId,
    channel: CodeChannel,
    verificationId: string,
    given: string,
  ): Promise<string> {
    const { code, secret } = await this.prepare(environmentId, channel, verificationId.toLowerCase(), given);
    if (!(await this.codes.replace(environmentId, channel.name, code, this.limits))) {
      const { id, address } = code;
      if (!(await this.codes.isOpen(environmentId, channel.name, id, address))) throw channel.errors.unknown();
      await this.refuse(environmentId, channel, code);
    }
    await channel.send(environmentId, code.address, secret);
    return code.id;
  }

  /** Checks a code. The try counts before the comparison, and stays counted. @throws 422 for anything but a right code */
  async prove(
    environmentId: EnvironmentId,
    channel: CodeChannel,
    verificationId: string,
    code: string,
  ): Promise<ProvenAddress> {
    const { name, errors } = channel;
    await channel.assertEnabled(environmentId);
    const id = verificationId.toLowerCase();
    const given = codeHmac(await this.pepper.bytes(), contextOf(environmentId, channel, id), code);
    const { address, codeHmac: expected, isCounted, isExhausted } = await this.codes.attempt(environmentId, name, id);
    if (isExhausted) throw errors.tooMany();
    if (address !== null && !isCounted) throw errors.disabled();
    // Without a code there is something to compare all the same, and the result is never a match.
    const isRight = sameHmac(expected ?? Buffer.alloc(given.length), given) && expected !== null;
    if (!isRight || address === null || !(await channel.isGood(environmentId, address))) throw errors.wrong();
    return {
      address,
      redeem: async (tx) => {
        if (!(await this.codes.consume(environmentId, name, id, given, tx))) throw errors.wrong();
      },
    };
  }

  /** Another factor of the account succeeded: its addresses, in normal form, may receive codes again. */
  async forgive(environmentId: EnvironmentId, addresses: readonly string[], on: Executor): Promise<void> {
    const pepper = await this.pepper.bytes();
    const hashes = addresses.map((address) => destinationHash(pepper, environmentId, address));
    if (hashes.length > 0) await this.codes.forgive(environmentId, hashes, on);
  }

  private async prepare(
    environmentId: EnvironmentId,
    channel: CodeChannel,
    verificationId: string,
    given: string,
  ): Promise<{ code: NewCode; secret: string }> {
    const address = channel.normalise(given);
    await channel.assertReaches(environmentId, address);
    const secret = await channel.codeFor(environmentId, address);
    const pepper = await this.pepper.bytes();
    return {
      secret,
      code: {
        id: verificationId,
        address,
        destinationHash: destinationHash(pepper, environmentId, address),
        codeHmac: codeHmac(pepper, contextOf(environmentId, channel, verificationId), secret),
        ttlSeconds: channel.ttlMinutes * 60,
      },
    };
  }

  private async refuse(
    environmentId: EnvironmentId,
    { errors }: CodeChannel,
    { destinationHash: hash }: NewCode,
  ): Promise<never> {
    const refusal = await this.codes.findRefusal(environmentId, hash, this.limits);
    if (refusal && refusal.failures >= MAX_FAILURES) throw errors.disabled();
    throw tooManyRequests({ retryAfterSeconds: Math.max(1, Math.ceil(refusal?.wait ?? 1)) });
  }
}

const contextOf = (environmentId: string, { name }: CodeChannel, verificationId: string) =>
  ({ environmentId, purpose: `${name}-code`, verificationId }) as const;
