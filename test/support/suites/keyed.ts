import { afterAll, beforeAll, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { waitingForMe } from '../lock-waits.js';
import { eventually } from '../receiver.js';
import type { RawAnswer } from '../surface/raw-client.js';
import { validCall } from '../surface/valid-call.js';
import { WriteWatch } from '../surface/write-watch.js';
import { forEach, type Installation } from './installation.js';
import { startTenantApp, type TenantApp } from './tenant-app.js';

const REPLAYED = 'idempotent-replayed';

/** The table of responses to keyed calls. */
export const ANSWERS_TABLE = 'idempotency_keys';

/** Calls every operation that takes an `Idempotency-Key` twice with the same key. */
export function keyedSuite(installation: Installation): void {
  let own: TenantApp;
  let watch: WriteWatch;

  beforeAll(async () => {
    own = await startTenantApp(installation);
    watch = await WriteWatch.start(own.tenant.db);
  });
  afterAll(async () => {
    await watch?.stop();
    await own?.close();
  });

  const keyed = installation.operations.filter(({ isIdempotent }) => isIdempotent);

  forEach(keyed)(
    '%s does all it does in the transaction of its answer, and nothing more when it is repeated',
    async (_title, operation) => {
      const call = await validCall(own.tenant, operation);
      const request = { ...call, headers: { ...call.headers, 'Idempotency-Key': randomUUID() } };
      await watch.forget();
      const first = await own.client.send(request);
      expect([first.status < 300, first.headers[REPLAYED]]).toEqual([true, undefined]);
      expect(await watch.beside(ANSWERS_TABLE)).toEqual([]);
      await watch.forget();
      const again = await own.client.send(request);
      expect([again.status, again.headers[REPLAYED]]).toEqual([first.status, 'true']);
      expect(again.text).toBe(first.text);
      expect(await watch.written()).toEqual([]);
    },
  );

  /** Makes storing responses block, so that a call that has done its work still holds its key. */
  async function whileNoneIsKept(work: () => Promise<void>): Promise<void> {
    await own.tenant.db.query(`BEGIN; LOCK TABLE ${ANSWERS_TABLE} IN SHARE MODE`);
    try {
      await work();
    } finally {
      await own.tenant.db.query('ROLLBACK');
    }
  }
  const somebodyWaits = async (): Promise<boolean> =>
    (await waitingForMe(own.tenant.db, `INSERT INTO ${ANSWERS_TABLE}`)) > 0;

  forEach(keyed)(
    '%s is refused with a key that is none, that is at work, or that belongs to another request',
    async (_title, operation) => {
      const { headers, path, ...call } = await validCall(own.tenant, operation);
      const send = (key: string, query = ''): Promise<RawAnswer> =>
        own.client.send({ ...call, path: path + query, headers: { ...headers, 'Idempotency-Key': key } });
      expect(refusalOf(await send('two words'))).toEqual([400, 'malformed_idempotency_key']);
      const key = randomUUID();
      let first: Promise<RawAnswer> | undefined;
      await whileNoneIsKept(async () => {
        first = send(key);
        await eventually('the first call is done but for its answer', somebodyWaits);
        expect(refusalOf(await send(key))).toEqual([409, 'idempotency_key_in_use']);
      });
      expect((await first!).status).toBeLessThan(300);
      const other = `${path.includes('?') ? '&' : '?'}other=1`;
      expect(refusalOf(await send(key, other))).toEqual([422, 'idempotency_key_reused']);
    },
  );
}

const refusalOf = ({ status, body }: RawAnswer): [number, string | undefined] => [
  status,
  (body as { code?: string } | undefined)?.code,
];
