import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { TestApp } from '../app.js';
import { contentOf, type DatabaseContent } from '../surface/database-content.js';
import { faultsOfRefusal } from '../surface/error-answer.js';
import { freshProof, ownerToken } from '../surface/fresh-proof.js';
import { isDestructive, recordName, type ApiOperation } from '../surface/operations.js';
import { RawClient, type RawAnswer } from '../surface/raw-client.js';
import type { RecordIds } from '../surface/records.js';
import { Tenant } from '../surface/tenant.js';
import { validRequest } from '../surface/valid-call.js';
import { hasSucceeded } from '../surface/verdict.js';
import { WriteWatch } from '../surface/write-watch.js';
import { forEach, type Installation } from './installation.js';

/** Every combination of ids to replace with foreign ones, except the empty one. */
function swaps(names: readonly string[]): string[][] {
  const choices = names.reduce<string[][]>((known, name) => known.flatMap((some) => [some, [...some, name]]), [[]]);
  return choices.filter((some) => some.length > 0);
}

/** Calls every operation with ids of another tenant, and checks the response. */
export function isolationSuite(installation: Installation): void {
  const { operations, surface } = installation;
  let test: TestApp;
  let mine: Tenant;
  let theirs: Tenant;
  let client: RawClient;
  let theirContent: DatabaseContent;
  let writes: WriteWatch;

  beforeAll(async () => {
    test = await installation.start();
    mine = await Tenant.create(test, surface);
    theirs = await Tenant.create(test, surface);
    client = new RawClient(test.url);
    theirContent = await contentOf(theirs);
    writes = await WriteWatch.start(mine.db);
  });

  afterAll(async () => {
    client.close();
    await mine.close();
    await theirs.close();
    await test.close();
  });

  /** The credentials with which a tenant may call an operation. */
  async function credentials(operation: ApiOperation): Promise<[string, string][]> {
    const { audience, scope } = operation;
    if (audience === 'end-user') return [['an end user', mine.endUser.jwt]];
    const member: [string, string] = ["the owner's token", await ownerToken(mine, operation)];
    // Members cannot call what is for API tokens only.
    const isForTokens = operation.surface.callers?.["the owner's session of the console"] !== undefined;
    const api: [string, string] = ['an API token', mine.world.token];
    if (isForTokens) return [api];
    return scope === null ? [member] : [api, member];
  }

  async function call(operation: ApiOperation, instead: RecordIds, token: string | null): Promise<RawAnswer> {
    const { body, query, headers } = await validRequest(mine, operation);
    return client.send({
      method: operation.method,
      path: `${mine.pathOf(operation, instead)}${query ? `?${query}` : ''}`,
      token,
      headers: { ...headers, ...(await freshProof(mine, operation, token)) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  /** Checks that the other tenant's rows are unchanged, in the tables written to since the last check. */
  async function expectTheirsUntouched(): Promise<void> {
    const tables = await writes.tables();
    await writes.forget();
    expect(await contentOf(theirs, tables)).toEqual(
      Object.fromEntries(tables.map((name) => [name, theirContent[name]])),
    );
  }

  const leaks = ({ text }: RawAnswer): string[] => theirs.secrets.filter((secret) => text.includes(secret));
  const withoutRequestId = ({ status, body }: RawAnswer): object => ({ status, ...(body as object), requestId: '' });

  const withIds = operations.filter(({ pathParams }) => pathParams.length > 0);

  it('would be seen to fail: the comparison notices a write, in whichever table', async () => {
    const tables = Object.keys(theirContent).filter((table) => !theirContent[table]?.startsWith('0 rows'));
    expect(tables).toEqual(
      expect.arrayContaining(['organizations', 'members', 'users', 'wallets', 'events', 'webhooks']),
    );
    await theirs.db.query('UPDATE webhook_deliveries SET attempt = 2 WHERE environment_id = $1', [
      theirs.ids['environmentId'],
    ]);
    await expect(expectTheirsUntouched()).rejects.toThrow('webhook_deliveries');
    const written = await contentOf(theirs);
    expect(Object.keys(written).filter((table) => written[table] !== theirContent[table])).toEqual([
      'webhook_deliveries',
    ]);
    theirContent = written;
  });

  forEach(withIds.filter(({ audience }) => audience !== 'public'))(
    '%s finds nothing under ids of another tenant',
    async (_title, operation) => {
      const faults: string[] = [];
      for (const [who, token] of await credentials(operation)) {
        for (const swapped of swaps(operation.pathParams)) {
          const idsOf = (of: (name: string) => string): RecordIds =>
            Object.fromEntries(
              swapped.map((param) => [recordName(operation, param), of(recordName(operation, param))]),
            );
          const foreign = await call(
            operation,
            idsOf((name) => theirs.ids[name]!),
            token,
          );
          const unknown = await call(
            operation,
            idsOf(() => randomUUID()),
            token,
          );
          const where = `${who}, foreign ${swapped.join(' and ')}`;
          const expected = operation.audience === 'end-user' && swapped.includes('environmentId') ? 401 : 404;
          if (foreign.status !== expected) faults.push(`${where}: ${foreign.status} ${foreign.text}`);
          faults.push(...[...faultsOfRefusal(foreign), ...leaks(foreign)].map((fault) => `${where}: ${fault}`));
          // Environment ids are public, in every URL of an application; record ids must not be revealed.
          if (expected === 404) expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown));
          else expect(unknown.status).toBe(404);
        }
      }
      expect(faults).toEqual([]);
      await expectTheirsUntouched();
    },
  );

  forEach(
    operations.filter(({ audience, pathParams }) => audience === 'public' && pathParams.includes('environmentId')),
  )('%s does not exist in an environment that does not exist', async (_title, operation) => {
    const { status } = await call(operation, { environmentId: randomUUID() }, null);
    expect(status).toBe(404);
  });

  forEach(operations.filter((operation) => !isDestructive(operation)))(
    '%s tells a tenant nothing of another',
    async (_title, operation) => {
      const tokens = operation.audience === 'public' ? [['nobody', null] as const] : await credentials(operation);
      for (const [, token] of tokens) {
        const fitting = (await operation.surface.fittingRecords?.(mine)) ?? {};
        const answer = await call(operation, fitting, token);
        expect([answer.status, hasSucceeded(operation, answer.status)]).toEqual([answer.status, true]);
        expect(leaks(answer)).toEqual([]);
      }
      await expectTheirsUntouched();
    },
  );

  it('leaves to another tenant what it has, in every table', async () => {
    expect(await contentOf(theirs)).toEqual(theirContent);
  });
}
