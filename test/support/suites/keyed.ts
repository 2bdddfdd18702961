import { afterAll, beforeAll, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { TestApp } from '../app.js';
import { RawClient } from '../surface/raw-client.js';
import { Tenant } from '../surface/tenant.js';
import { validCall } from '../surface/valid-call.js';
import { WriteWatch } from '../surface/write-watch.js';
import { forEach, type Installation } from './installation.js';

const REPLAYED = 'idempotent-replayed';

/** Where the answers to calls with a key are kept. */
export const ANSWERS_TABLE = 'idempotency_keys';

/** Every operation that takes an `Idempotency-Key`, called twice with one. */
export function keyedSuite({ operations, surface, start }: Installation): void {
  let test: TestApp;
  let tenant: Tenant;
  let client: RawClient;
  let watch: WriteWatch;

  beforeAll(async () => {
    test = await start();
    tenant = await Tenant.create(test, surface);
    client = new RawClient(test.url);
    watch = await WriteWatch.start(tenant.db);
  });
  afterAll(async () => {
    await watch.stop();
    client.close();
    await tenant.close();
    await test.close();
  });

  forEach(operations.filter(({ isIdempotent }) => isIdempotent))(
    '%s does all it does in the transaction of its answer, and nothing more when it is repeated',
    async (_title, operation) => {
      const call = await validCall(tenant, operation);
      const request = { ...call, headers: { ...call.headers, 'Idempotency-Key': randomUUID() } };
      await watch.forget();
      const first = await client.send(request);
      expect([first.status < 300, first.headers[REPLAYED]]).toEqual([true, undefined]);
      expect(await watch.beside(ANSWERS_TABLE)).toEqual([]);
      await watch.forget();
      const again = await client.send(request);
      expect([again.status, again.headers[REPLAYED]]).toEqual([first.status, 'true']);
      expect(again.text).toBe(first.text);
      expect(await watch.written()).toEqual([]);
    },
  );
}
