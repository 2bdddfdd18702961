import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalJson } from '../../common/canonical-json.js';
import { idOfName } from '../../common/ids.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { idempotencyKeyReused, parseKey } from '../../idempotency/index.js';
import { VendorUnavailableError } from '../../networks/index.js';
import { VendorRefusal } from '../vendor-refusal.js';
import { RampOrdersRepository } from './ramp-orders.repository.js';

export interface OrderCall {
  userId: string;
  provider: string;
  request: object;
  /** The header as sent. */
  key: string | undefined;
}

/** A call as the vendor sees it: the first with its key, or a repetition. */
export interface KeyedOrder {
  /** Null without a key. */
  id: string | null;
  isFirst: boolean;
  /** The vendor's reference. */
  reference: string | null;
}

/** Orders with an idempotency key: stored before the vendor is asked, and made once. */
@Injectable()
export class KeyedOrders {
  constructor(
    private readonly orders: RampOrdersRepository,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws malformedIdempotencyKey, idempotencyKeyReused */
  async begin(environmentId: EnvironmentId, { userId, provider, request, key }: OrderCall): Promise<KeyedOrder> {
    if (key === undefined) return { id: null, isFirst: true, reference: null };
    const name = parseKey(key);
    const id = idOfName(`ramp-order ${environmentId} ${userId} ${provider} ${name}`);
    const keyHash = sha256(name);
    const requestHash = sha256(canonicalJson(request));
    const row = { id, userId, provider, keyHash, requestHash };
    // One that another user made who was merged into this one has an id of its own.
    const earlier =
      (await this.orders.find(environmentId, { id })) ??
      (await this.orders.find(environmentId, { userId, provider, keyHash }));
    const made = earlier ? null : await this.work.run((tx) => this.orders.insertIfAbsent(environmentId, row, tx));
    if (made) return { id, isFirst: true, reference: null };
    const known = earlier ?? (await this.orders.find(environmentId, { id }));
    if (!known?.requestHash.equals(requestHash)) throw idempotencyKeyReused();
    return { id: known.id, isFirst: false, reference: known.reference };
  }

  /**
   * For a vendor that supports idempotency keys: repetitions are sent as well. A refusal of one says nothing about
   * another in progress, so the key stays with its first request.
   */
  async send<T>(
    environmentId: EnvironmentId,
    { id }: KeyedOrder,
    ask: () => Promise<T>,
    referenceOf: (answer: T) => string,
  ): Promise<T> {
    const answer = await ask();
    if (id !== null) {
      const reference = referenceOf(answer);
      await this.work.run((tx) => this.orders.update(environmentId, { id }, { reference }, tx));
    }
    return answer;
  }

  /**
   * For a vendor without idempotency keys: only the first call with a key is sent. If the vendor refuses or never
   * receives it, the same key may be used again.
   */
  sendOnce<T>(
    environmentId: EnvironmentId,
    order: KeyedOrder,
    ask: () => Promise<T>,
    referenceOf: (answer: T) => string,
  ): Promise<T> {
    const { id } = order;
    const once = () =>
      ask().catch(async (error: unknown) => {
        if (id !== null && wasNotTaken(error))
          await this.work.run((tx) => this.orders.delete(environmentId, { id }, tx));
        throw error;
      });
    return this.send(environmentId, order, once, referenceOf);
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether the vendor has certainly not carried out the request. */
const wasNotTaken = (error: unknown): boolean =>
  error instanceof VendorRefusal ||
  (error instanceof VendorUnavailableError &&
    (!error.wasSent || error.reason === 'refused' || error.reason === 'rate_limited'));
