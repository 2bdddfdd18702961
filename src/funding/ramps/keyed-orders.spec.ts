import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId, Transaction, UnitOfWork } from '../../database/index.js';
import { VendorUnavailableError } from '../../networks/index.js';
import { KeyedOrders } from './keyed-orders.js';
import type { RampOrdersRepository } from './ramp-orders.repository.js';

describe('the key of an order at a vendor without idempotency keys', () => {
  /** Whether it may be used again. */
  async function isForgotten(error: Error): Promise<boolean> {
    const deleted: unknown[] = [];
    const orders = {
      delete: async (...[, where]: unknown[]) => deleted.push(where),
    } as unknown as RampOrdersRepository;
    const work = { run: (unit: (tx: Transaction) => unknown) => unit({} as Transaction) } as unknown as UnitOfWork;
    const order = { id: 'order', isFirst: true, reference: null };
    const sent = new KeyedOrders(orders, work).sendOnce(
      'e' as EnvironmentId,
      order,
      () => Promise.reject(error),
      () => '',
    );
    await expect(sent).rejects.toBe(error);
    return deleted.length === 1;
  }

  it.each<[string, Error, boolean]>([
    ['was never sent', new VendorUnavailableError('vendor', 'unreachable', { wasSent: false }), true],
    ['was sent and may have been taken', new VendorUnavailableError('vendor', 'unreachable'), false],
    ['was not answered in time', new VendorUnavailableError('vendor', 'timeout'), false],
    ['was refused', new VendorUnavailableError('vendor', 'refused'), true],
    ['was one too many', new VendorUnavailableError('vendor', 'rate_limited'), true],
    ['met a fault of the service', new Error('a fault'), false],
  ])('of one that %s: may be used again if the vendor has certainly not taken it', async (_, error, expected) => {
    expect(await isForgotten(error)).toBe(expected);
  });
});
