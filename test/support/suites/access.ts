import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../app.js';
import { makeCallers, type Caller } from '../surface/callers.js';
import { faultsOfRefusal } from '../surface/error-answer.js';
import { freshProof } from '../surface/fresh-proof.js';
import { isDestructive, recordName, type ApiOperation } from '../surface/operations.js';
import { RawClient, type RawAnswer } from '../surface/raw-client.js';
import type { RecordIds } from '../surface/records.js';
import { Tenant } from '../surface/tenant.js';
import { validRequest } from '../surface/valid-call.js';
import { hasSucceeded, type Verdict } from '../surface/verdict.js';
import { forEach, type Installation } from './installation.js';

/** The error of a service that checks the role again under a lock: then the handler declares too low a role. */
export const refusedLate = ({ status, body }: Pick<RawAnswer, 'status' | 'body'>): boolean =>
  status === 403 && (body as { code?: unknown } | null)?.code === 'role_withdrawn';

/** Calls every operation as every kind of caller. */
export function accessSuite(installation: Installation): void {
  const { operations, surface } = installation;
  let test: TestApp;
  let tenant: Tenant;
  let stranger: Tenant;
  let callers: Caller[];
  let client: RawClient;

  beforeAll(async () => {
    test = await installation.start();
    tenant = await Tenant.create(test, surface);
    stranger = await Tenant.create(test, surface);
    callers = await makeCallers(tenant, stranger);
    client = new RawClient(test.url);
  });

  afterAll(async () => {
    client.close();
    await tenant.close();
    await stranger.close();
    await test.close();
  });

  describe('of every operation', () => {
    /** Records that the call may use up; the caller's own if they belong to people. */
    async function recordsFor(operation: ApiOperation, caller: Caller, verdict: Verdict): Promise<RecordIds> {
      const last = operation.pathParams.at(-1);
      if (!last || last === 'environmentId') return {};
      const fitting = operation.audience === 'dashboard' && verdict === 'success' && operation.surface.fittingRecords;
      if (fitting) return fitting(tenant);
      const name = recordName(operation, last);
      if (!surface.records[name]?.ofPerson && (verdict !== 'success' || !isDestructive(operation))) return {};
      return { [name]: await tenant.makeRecord(name, caller.userId) };
    }

    async function call(operation: ApiOperation, caller: Caller, verdict: Verdict): Promise<RawAnswer> {
      const token = await caller.token(operation);
      const { body, query = '', headers } = await validRequest(tenant, operation, token);
      const asked = caller.inQuery ? `access_token=${token}&token=${token}&apiKey=${token}&jwt=${token}` : query;
      return client.send({
        method: operation.method,
        path: `${tenant.pathOf(operation, await recordsFor(operation, caller, verdict))}${asked && `?${asked}`}`,
        token: caller.inQuery ? null : token,
        headers: { ...headers, ...(isKnown(verdict) && (await freshProof(tenant, operation, token))) },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    }

    /** Callers that are not refused for their kind have given a fresh proof. */
    const isKnown = (verdict: Verdict): boolean =>
      verdict === 'success' || (verdict !== 'open' && !verdict.includes(401));

    function fault(operation: ApiOperation, verdict: Verdict, answer: RawAnswer): string | null {
      const { status } = answer;
      if (verdict === 'success')
        return hasSucceeded(operation, status) ? null : `expected a success, got ${status} ${answer.text}`;
      if (verdict === 'open') {
        return [401, 403, 404].includes(status) || status >= 500 ? `expected no guard, got ${status}` : null;
      }
      if (refusedLate(answer)) return `the guard let it through, and the service refused it: ${answer.text}`;
      if (!verdict.includes(status)) return `expected ${verdict.join(' or ')}, got ${status} ${answer.text}`;
      if (status === 401 && answer.headers['www-authenticate'] === undefined) return 'no WWW-Authenticate header';
      return faultsOfRefusal(answer).join(', ') || null;
    }

    it('knows the callers that contexts declare answers for', () => {
      const declared = operations.flatMap((operation) => Object.keys(operation.surface.callers ?? {}));
      expect(declared.filter((name) => !callers.some((caller) => caller.name === name))).toEqual([]);
    });

    forEach(operations)('%s answers whom the document names, and nobody else', async (_title, operation) => {
      const faults: string[] = [];
      for (const caller of callers) {
        if (caller.calls?.(operation) === false) continue;
        const verdict = operation.surface.callers?.[caller.name] ?? caller.verdict(operation);
        const answer = await call(operation, caller, verdict);
        const found = fault(operation, verdict, answer);
        if (found) faults.push(`${caller.name}: ${found}`);
        if (!operation.statuses.includes(answer.status))
          faults.push(`${caller.name}: ${answer.status} is not documented`);
      }
      expect(faults).toEqual([]);
    });
  });

  describe('by another way of writing the path', () => {
    const guarded = operations.filter(({ audience }) => audience !== 'public');
    const variants: [string, (path: string) => string][] = [
      ['an escaped letter', (path) => path.replace('/api/', '/%61pi/')],
      [
        'every letter escaped',
        (path) => path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      ],
      ['a doubly escaped letter', (path) => path.replace('/api/', '/%2561pi/')],
      ['an escaped slash', (path) => path.replace('/v0/', '/v0%2f')],
      ['a slash twice at the front', (path) => `/${path}`],
      ['slashes twice', (path) => path.replaceAll('/', '//')],
      ['a backslash', (path) => path.replace('/v0/', '\\v0\\')],
      ['a dot segment', (path) => path.replace('/v0/', '/./v0/')],
      ['a double dot segment', (path) => path.replace('/v0/', '/v0/docs/../')],
      ['an escaped double dot segment', (path) => path.replace('/v0/', '/v0/docs/%2e%2e/')],
      ['a public path before a double dot', (path) => `/api/v0/sdk/x/nonce/../../../../..${path}`],
      ['capitals', (path) => path.replace(/^\/api\/v0\/\w+/, (start) => start.toUpperCase())],
      ['all in capitals', (path) => path.toUpperCase()],
      ['a slash at the end', (path) => `${path}/`],
      ['slashes at the end', (path) => `${path}///`],
      ['a dot at the end', (path) => `${path}/.`],
      ['an escaped space at the end', (path) => `${path}%20`],
      ['an escaped NUL at the end', (path) => `${path}%00`],
      ['path parameters', (path) => `${path};a=b`],
      ['a suffix', (path) => `${path}.json`],
      ['a broken escape', (path) => `${path}%`],
      ['a whole address', (path) => `http://other.example${path}`],
      ['a fragment', (path) => `${path}#/nonce`],
      ['an empty query', (path) => `${path}?`],
    ];
    const headers = {
      'x-http-method-override': 'GET',
      'x-original-url': '/api/v0/sdk/x/nonce',
      'x-rewrite-url': '/health',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'localhost',
      'x-environment-id': 'any',
    };

    forEach(guarded)('%s is not reached without a credential', async (_title, operation) => {
      const { body } = await validRequest(tenant, operation);
      const path = tenant.pathOf(operation);
      const tries = variants.map(([name, write]) => ({ name, path: write(path), method: operation.method }));
      if (operation.method === 'GET') tries.push({ name: 'HEAD', path, method: 'HEAD' });
      tries.push({ name: 'headers of proxies', path, method: operation.method });
      const answers = await Promise.all(
        tries.map(async ({ name, ...request }) => {
          const content = body === undefined ? undefined : JSON.stringify(body);
          const { status, text } = await client.send({ ...request, headers, body: content });
          return { name, path: request.path, status, text };
        }),
      );
      expect(answers.filter(({ status }) => ![400, 401, 403, 404, 405].includes(status))).toEqual([]);
    });
  });
}
