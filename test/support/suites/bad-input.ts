import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../app.js';
import { bodyMutations, withChanges, type Mutation } from '../surface/body-mutations.js';
import { faultsOfRefusal } from '../surface/error-answer.js';
import { freshProof } from '../surface/fresh-proof.js';
import { forgedAuthorizations } from '../surface/forged-tokens.js';
import { mistakesTogether } from '../surface/mistakes-together.js';
import { isDestructive, operations as ofTheService, recordName, type ApiOperation } from '../surface/operations.js';
import { queryMutations } from '../surface/query-mutations.js';
import { RawClient, type RawAnswer, type RawRequest } from '../surface/raw-client.js';
import type { Shape } from '../surface/schemas.js';
import type { RequestParts } from '../surface/surface.js';
import { Tenant } from '../surface/tenant.js';
import { WRONG_IDS, transportMistakes, type TransportMistake } from '../surface/transport-mistakes.js';
import { rightToken, validCall, validRequest } from '../surface/valid-call.js';
import { hasSucceeded } from '../surface/verdict.js';
import { newEmail } from '../world.js';
import { WriteWatch } from '../surface/write-watch.js';
import { forEach, type Installation } from './installation.js';

interface Refused {
  name: string;
  request: RawRequest;
  fault: (answer: RawAnswer) => string | null;
}

type Sent = Mutation & { request: RawRequest };

const KILOBYTE = 1024;
/** All values of an environment's settings take some thousand writes to one row. */
const LONG_MS = 180_000;
const MALFORMED = ['validation_failed', 'malformed_body'];

const isTaken = ({ surface }: ApiOperation, name: string): boolean => surface.takenAnyway?.test(name) === true;
const isRuleBeyond = ({ surface }: ApiOperation, name: string): boolean =>
  surface.rulesBeyondTheSchema?.test(name) === true;

const LIMITS = ['enum', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'];
const isLimited = (shape: Shape): boolean => LIMITS.some((keyword) => shape[keyword] !== undefined);

/** The first mistake's body, with the others made in it as well. */
const withAll = ({ schemas, body }: ApiOperation, [first, ...others]: readonly Mutation[]): string =>
  withChanges(
    schemas,
    body!,
    JSON.parse(first!.text),
    others.map(({ change }) => change!),
  );

/** With more, calls would wait too long for a connection and get 503. */
const AT_ONCE = 12;

async function someAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}

/** Calls every operation with every kind of invalid input, and with every allowed value. */
export function badInputSuite(installation: Installation): void {
  const { operations, surface } = installation;
  let test: TestApp;
  let tenant: Tenant;
  let client: RawClient;
  let writes: WriteWatch;

  beforeAll(async () => {
    test = await installation.start();
    tenant = await Tenant.create(test, surface);
    client = new RawClient(test.url);
    writes = await WriteWatch.start(tenant.db);
  });

  afterAll(async () => {
    client.close();
    await tenant.close();
    await test.close();
  });

  const known = new Map<string, Promise<Sent[]>>();

  /** Invalid and some valid variants of a body or query; computed once per operation. */
  async function mutationsOf(operation: ApiOperation): Promise<Sent[]> {
    const valid = await validRequest(tenant, operation);
    const mutations = known.get(operation.id) ?? makeMutations(operation, valid);
    known.set(operation.id, mutations);
    const made = await mutations;
    if (!operation.needsSession) return made;
    // A sign-in counts as a fresh proof for five minutes, and the suite may take longer.
    const token = await rightToken(tenant, operation);
    return made.map((one) => ({ ...one, request: { ...one.request, token } }));
  }

  async function makeMutations(operation: ApiOperation, { body, query = '', headers }: RequestParts): Promise<Sent[]> {
    const { schemas } = operation;
    const path = tenant.pathOf(operation);
    // Operations that end the caller's account or session are called by somebody else.
    const endsCaller = operation.audience === 'end-user' && isDestructive(operation) && operation.pathParams.length < 2;
    const token = endsCaller ? (await tenant.world.signIn(newEmail())).jwt : await rightToken(tenant, operation);
    const proof = await freshProof(tenant, operation, token);
    const common = { method: operation.method, token, headers: { ...headers, ...proof } };
    const valid = body === undefined ? undefined : JSON.stringify(body);
    const inBody = operation.body ? bodyMutations(schemas, operation.body, body) : [];
    return [
      ...inBody.map((mutation) => ({
        ...mutation,
        request: { ...common, path: `${path}${query && `?${query}`}`, body: mutation.text },
      })),
      ...queryMutations(schemas, operation.queryParams, query).map((mutation) => ({
        ...mutation,
        request: { ...common, path: `${path}?${mutation.text}`, body: valid },
      })),
    ];
  }

  const callOf = ({ name, request, unknown }: Sent): Refused => ({
    name,
    request,
    fault: (answer) => malformedFault(answer, unknown),
  });

  /** Makes calls that must be refused, and checks that nothing was written and that the service still works. */
  async function expectRefusals(operation: ApiOperation, calls: readonly Refused[]): Promise<void> {
    await writes.forget();
    const faults = await someAtOnce(calls, async ({ name, request, fault }) => {
      const answer = await client.send(request);
      const found = [fault(answer), ...faultsOfRefusal(answer)].filter(Boolean);
      return found.length > 0 ? [`${name}: ${found.join(', ')} | ${answer.text.slice(0, 300)}`] : [];
    });
    expect(faults.flat()).toEqual([]);
    expect(await writes.written()).toEqual([]);
    const right = await client.send(await validCall(tenant, operation));
    expect({
      status: hasSucceeded(operation, right.status) ? 'success' : right.status,
      ...(!hasSucceeded(operation, right.status) && { text: right.text }),
    }).toEqual({
      status: 'success',
    });
  }

  const mistakesOf = ({ isBodyOptional }: ApiOperation, mistakes: TransportMistake[]): TransportMistake[] =>
    mistakes.filter(({ request }) => !(isBodyOptional && !request.body));

  const statusFault =
    (...statuses: readonly number[]) =>
    ({ status }: RawAnswer): string | null =>
      statuses.includes(status) ? null : `expected ${statuses.join(' or ')}, got ${status}`;

  const codeOf = ({ body }: RawAnswer): unknown => (body as { code?: unknown } | undefined)?.code;

  const fieldsOf = ({ body }: RawAnswer): { field: string; message: string }[] | undefined =>
    (body as { payload?: { fields?: { field: string; message: string }[] } } | undefined)?.payload?.fields;

  function malformedFault(answer: RawAnswer, unknown: readonly string[] = []): string | null {
    if (answer.status !== 400 || !MALFORMED.includes(codeOf(answer) as string)) return `got ${answer.status}`;
    const fields = fieldsOf(answer);
    const named = new Set(fields?.map(({ field }) => field.split('.').at(-1)));
    const taken = unknown.filter((name) => !named.has(name));
    if (taken.length > 0) return `does not refuse ${taken.join()}`;
    if (codeOf(answer) === 'malformed_body') return null;
    return fields?.length && fields.every(({ message }) => message !== '') ? null : 'names no field';
  }

  it('would be seen to fail: a write is noticed, in whichever table', async () => {
    await writes.forget();
    await tenant.db.query('UPDATE api_tokens SET last_used_at = now()');
    expect(await writes.written()).toEqual([]);
    for (const name of ['renamed', tenant.marker]) {
      await tenant.db.query('UPDATE projects SET name = $2 WHERE id = $1', [tenant.ids['projectId'], name]);
    }
    expect(await writes.written()).toEqual([
      expect.stringMatching(/^projects: .*renamed/),
      expect.stringMatching(/^projects: /),
    ]);
  });

  const withInput = operations.filter(({ body, queryParams }) => body !== null || queryParams.length > 0);

  forEach(withInput)('%s has every limit tried from both sides', async (_title, operation) => {
    const mutations = await mutationsOf(operation);
    const tried = (place: string): Set<string> =>
      new Set(mutations.filter(({ name }) => name.startsWith(`${place}: `)).map(({ expected }) => expected));
    const limited = operation.body
      ? operation.schemas.placesOf(operation.body).filter(({ shape }) => isLimited(shape))
      : [];
    const places = limited.map(({ place }) => place.join('.')).filter((place) => place !== '');
    const halfTried = places.filter((place) => !tried(place).has('valid') || !tried(place).has('refused'));
    expect(halfTried).toEqual([]);
    const mistakes = mutations.filter(({ expected }) => expected === 'refused');
    expect(mistakes.reduce((sum, { unknown }) => sum + (unknown?.length ?? 1), 0)).toBeGreaterThan(50);
  });

  forEach(withInput)(
    '%s refuses what the document does not allow',
    async (_title, operation) => {
      const mistakes = (await mutationsOf(operation)).filter(
        ({ expected, name }) => expected === 'refused' && !isTaken(operation, name),
      );
      const { together, alone } = mistakesTogether(mistakes);
      const unnamed: Sent[] = [];
      await expectRefusals(operation, [
        ...alone.map(callOf),
        ...together.map((some) => ({
          name: some.map(({ name }) => name).join(' and '),
          request: { ...some[0]!.request, body: withAll(operation, some) },
          fault: (answer: RawAnswer) => {
            const named = new Set(fieldsOf(answer)?.map(({ field }) => field));
            unnamed.push(...some.filter(({ change }) => !named.has(change!.place.join('.'))));
            return malformedFault(answer);
          },
        })),
      ]);
      // What a refusal does not name may have been taken, if nothing else had been wrong.
      if (unnamed.length > 0) await expectRefusals(operation, unnamed.map(callOf));
    },
    LONG_MS,
  );

  forEach(operations.filter(({ body }) => body !== null))(
    '%s refuses a body that is none',
    async (_title, operation) => {
      const { body = '', ...request } = await validCall(tenant, operation);
      const most = (operation.path.endsWith('/bulk') ? KILOBYTE : 100) * KILOBYTE;
      await expectRefusals(
        operation,
        mistakesOf(operation, transportMistakes(String(body), most)).map((mistake) => ({
          name: mistake.name,
          request: { ...request, ...mistake.request, headers: { ...request.headers, ...mistake.request.headers } },
          fault: statusFault(...mistake.statuses),
        })),
      );
    },
  );

  forEach(operations.filter(({ pathParams }) => pathParams.length > 0))(
    '%s finds nothing under what is no id',
    async (_title, operation) => {
      const { body, headers } = await validCall(tenant, operation);
      const token = await rightToken(tenant, operation);
      const calls = operation.pathParams.flatMap((param) =>
        WRONG_IDS.map((id) => ({
          name: `${param} ${id.slice(0, 60)}`,
          request: {
            method: operation.method,
            path: tenant.pathOf(operation, { [recordName(operation, param)]: id }),
            token,
            headers,
            body,
          },
          fault: statusFault(400, 404),
        })),
      );
      await expectRefusals(operation, calls);
    },
  );

  forEach(operations.filter(({ audience }) => audience !== 'public'))(
    '%s takes no credential that proves nothing',
    async (_title, operation) => {
      const { body } = await validCall(tenant, operation);
      const forged = await forgedAuthorizations(tenant, tenant.endUser.jwt);
      const calls = forged.map(([name, authorization]) => ({
        name,
        request: { method: operation.method, path: tenant.pathOf(operation), headers: { authorization }, body },
        fault: statusFault(401),
      }));
      await expectRefusals(operation, calls);
    },
  );

  /** Matches the paths of an operation. */
  const formOf = ({ path }: ApiOperation): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

  const methodsOf = Map.groupBy(operations, ({ path }) => path);

  it.each([...methodsOf].map(([path, known]) => [path, known] as const))(
    '%s answers to the documented methods alone',
    async (_path, known) => {
      const [operation] = known as [ApiOperation];
      const { body } = await validCall(tenant, operation);
      const token = await rightToken(tenant, operation);
      // A literal in one path may match a variable in another, which has methods of its own.
      const answering = [...known, ...ofTheService.filter((other) => formOf(other).test(operation.path))];
      const calls = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE']
        .filter((method) => !answering.some((other) => other.method === method))
        .map((method) => ({
          name: method,
          request: { method, path: tenant.pathOf(operation), token, body },
          fault: statusFault(404, 405),
        }));
      await expectRefusals(operation, calls);
    },
  );

  // Express serves HEAD wherever it serves GET. A check for existence must not use anything up.
  forEach(operations.filter(({ method }) => method === 'GET'))(
    '%s writes nothing when it is asked for by HEAD',
    async (_title, operation) => {
      const request = await validCall(tenant, operation);
      await writes.forget();
      const { status, text, headers } = await client.send({ ...request, method: 'HEAD' });
      const written = await writes.written();
      expect({ status, text, written }).toEqual({ status: expect.any(Number), text: '', written: [] });
      const right = await client.send(request);
      const isSuccess = hasSucceeded(operation, right.status);
      expect({ isSuccess, right: isSuccess || right.text }).toEqual({ isSuccess: true, right: true });
      // A HEAD without effects gets the status of the GET.
      expect([405, right.status]).toContain(status);
      expect(status === 405).toBe(operation.isGetAlone);
      if (operation.isGetAlone) expect(headers.allow?.split(', ')).toContain('GET');
    },
  );

  forEach(operations.filter((operation) => operation.method === 'GET' && !isDestructive(operation)))(
    '%s stands a query and a body it has no use for',
    async (_title, operation) => {
      const request = await validCall(tenant, operation);
      const [path = ''] = request.path.split('?');
      const queries = [
        'a=1&a=2',
        'a[b][c]=1',
        '__proto__[a]=1',
        'a=%00',
        '%',
        'a=%ff',
        '=&=&',
        '&'.repeat(1_000),
        'a[]=1',
        `a=${'x'.repeat(6_000)}`,
      ];
      const bodies = ['', '{', '[1]', '{"a":"\\u0000"}', '['.repeat(10_000), 'x'.repeat(100 * KILOBYTE + 1)];
      const answers = await Promise.all([
        ...queries.map((query) => client.send({ ...request, path: `${path}?${query}` })),
        ...bodies.map((body) => client.send({ ...request, body })),
      ]);
      expect(answers.flatMap((answer) => (answer.status < 400 ? [] : faultsOfRefusal(answer)))).toEqual([]);
    },
  );

  describe('that is none', () => {
    // These calls write, some of them thousands of rows.
    beforeAll(() => writes.stop());

    forEach(withInput)(
      '%s takes what the document allows, up to every limit',
      async (_title, operation) => {
        const mutations = (await mutationsOf(operation)).filter(({ expected }) => expected !== 'refused');
        const restore = await operation.surface.restoring?.(tenant);
        const faults = await someAtOnce(mutations, async ({ name, request, expected }) => {
          const answer = await client.send(request);
          const isRefused = MALFORMED.includes(codeOf(answer) as string);
          const found = [
            ...(expected === 'valid' && isRefused && !isRuleBeyond(operation, name)
              ? ['refused though documented']
              : []),
            // A network that was not enabled may have no test node.
            ...(answer.status >= 300 && codeOf(answer) !== 'chain_unreadable' ? faultsOfRefusal(answer) : []),
          ];
          return found.length > 0
            ? [`${name}: ${found.join(', ')} | ${answer.status} ${answer.text.slice(0, 300)}`]
            : [];
        });
        expect(faults.flat()).toEqual([]);
        await restore?.();
      },
      LONG_MS,
    );
  });
}
