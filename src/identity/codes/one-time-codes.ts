import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import { tooManyRequests } from '../../common/errors/index.js';
import { Config } from '../../config/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { takingBack } from '../flows/proofs/proof.js';
import { networkOf } from './client-network.js';
import type { CodeChannel } from './code-channel.js';
import { tooManyWrongCodes } from './code.errors.js';
import { CodesRepository, type NewCode, type SendingLimits } from './codes.repository.js';
import { codeHmac, destinationHash, networkHash, sameHmac } from './one-time-code.js';
import { Pepper } from './pepper.js';
import { sendingLimits } from './sending-limits.js';

/** A correct code: the address it proves, and the step that uses it up. */
export interface ProvenAddress {
  /** In normal form. */
  address: string;
  /** Part of the transaction that the proof is for. @throws 422 if another call used the code first */
  redeem: (tx: Transaction) => Promise<void>;
  /** Called if what it proves was refused: a correct code is no failure. */
  takeBack: () => Promise<void>;
}

/**
 * One-time codes, whatever the channel. Users are not looked up here, so known and unknown addresses cannot be told
 * apart. Waits grow with wrong codes and expire: strangers get 27 attempts in the first hour, then 48 per day, a chance
 * of less than 1 in 10 000 per address and day.
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

  /** Sends a code to an address and returns the id of its verification. */
  async start(
    environmentId: EnvironmentId,
    channel: CodeChannel,
    given: string,
    client: ClientOrigin,
  ): Promise<string> {
    const { code, secret } = await this.prepare(environmentId, channel, randomUUID(), given, client);
    if (!(await this.codes.create(environmentId, channel.name, code, this.limits)))
      await this.refuse(environmentId, code);
    await channel.send(environmentId, code.address, secret, client);
    return code.id;
  }

  /** Sends another code for the same verification and address; the previous code becomes invalid. */
  async restart(
    environmentId: EnvironmentId,
    channel: CodeChannel,
    verificationId: string,
    given: string,
    client: ClientOrigin,
  ): Promise<string> {
    const { code, secret } = await this.prepare(environmentId, channel, verificationId.toLowerCase(), given, client);
    if (!(await this.codes.replace(environmentId, channel.name, code, this.limits))) {
      const { id, address } = code;
      if (!(await this.codes.isOpen(environmentId, channel.name, id, address))) throw channel.errors.unknown();
      await this.refuse(environmentId, code);
    }
    await channel.send(environmentId, code.address, secret, client);
    return code.id;
  }

  /**
   * Checks a code. The attempt is counted before the comparison, and stays counted unless a correct code is taken back.
   * @throws 422 for anything but a correct code, 429 while its network or address must wait after wrong ones
   */
  async prove(
    environmentId: EnvironmentId,
    channel: CodeChannel,
    { verificationId, code }: { verificationId: string; code: string },
    client: ClientOrigin,
  ): Promise<ProvenAddress> {
    const { name, errors } = channel;
    await channel.assertEnabled(environmentId);
    const id = verificationId.toLowerCase();
    const pepper = await this.pepper.bytes();
    const given = codeHmac(pepper, contextOf(environmentId, channel, id), code);
    const network = networkHash(pepper, environmentId, networkOf(client.ipAddress));
    const counted = await this.codes.attempt(environmentId, name, id, network);
    if (!counted) {
      const refused = await this.codes.refusedTry(environmentId, name, id, network);
      if (refused?.isExhausted) throw errors.tooMany();
      if (refused) throw tooManyWrongCodes({ retryAfterSeconds: wholeSeconds(refused.waitSeconds) });
    }
    // Without a code a comparison still takes place, which never matches.
    const isRight = sameHmac(counted?.codeHmac ?? Buffer.alloc(given.length), given);
    if (!isRight || !counted) throw errors.wrong();
    const used = { id, codeHmac: given, networkHash: network };
    const takeBack = (): Promise<void> => this.codes.takeBack(environmentId, name, used);
    const isGood = await channel.isGood(environmentId, counted.address).catch(takingBack({ takeBack }));
    if (!isGood) throw errors.wrong();
    return {
      address: counted.address,
      redeem: async (tx) => {
        if (!(await this.codes.consume(environmentId, name, used, tx))) throw errors.wrong();
      },
      takeBack,
    };
  }

  /** Called when the owner of these addresses, in normal form, signs in from this network by other means. */
  async forgive(
    environmentId: EnvironmentId,
    addresses: readonly string[],
    client: ClientOrigin,
    tx: Transaction,
  ): Promise<void> {
    if (addresses.length === 0) return;
    const pepper = await this.pepper.bytes();
    const hashes = addresses.map((address) => destinationHash(pepper, environmentId, address));
    this.codes.forgive(environmentId, hashes, networkHash(pepper, environmentId, networkOf(client.ipAddress)), tx);
  }

  /** Ends every wait of an address in normal form. @returns false if there is none */
  async release(environmentId: EnvironmentId, address: string): Promise<boolean> {
    return this.codes.release(environmentId, destinationHash(await this.pepper.bytes(), environmentId, address));
  }

  private async prepare(
    environmentId: EnvironmentId,
    channel: CodeChannel,
    verificationId: string,
    given: string,
    client: ClientOrigin,
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
        networkHash: networkHash(pepper, environmentId, networkOf(client.ipAddress)),
        ttlSeconds: channel.ttlMinutes * 60,
      },
    };
  }

  private async refuse(environmentId: EnvironmentId, code: NewCode): Promise<never> {
    const wait = await this.codes.sendingWait(environmentId, code, this.limits);
    throw tooManyRequests({ retryAfterSeconds: wholeSeconds(wait) });
  }
}

const wholeSeconds = (wait: number): number => Math.max(1, Math.ceil(wait));

const contextOf = (environmentId: string, { name }: CodeChannel, verificationId: string) =>
  ({ environmentId, purpose: `${name}-code`, verificationId }) as const;
