import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from '../app.js';
import { declaredRates, clientLimitOf, type DeclaredRate } from '../surface/declared-rates.js';
import type { ApiOperation } from '../surface/operations.js';
import { RawClient, type RawAnswer } from '../surface/raw-client.js';
import { Tenant } from '../surface/tenant.js';
import { validCall } from '../surface/valid-call.js';
import { forEach, type Installation } from './installation.js';
import { peerSettings } from './peers.js';

/** A thousandth of the declared limits, at least one call. */
const TINY = 0.001;
/** Makes the additional limits apply before the general ones. */
const SMALL = 0.1;

const pointsOf = (most: number, scale: number): number => Math.max(1, Math.round(most * scale));

let networks = 0;
/** An IPv6 /48 that no other call is seen from. */
const newNetwork = (): string =>
  `2001:${(0xdb8 + (++networks >> 16)).toString(16)}:${(networks & 0xffff).toString(16)}`;
const newAddress = (): string => `${newNetwork()}::1`;
const policyOf = ({ most, windowSeconds }: DeclaredRate): string => `${most};w=${windowSeconds}`;

/** The code and policy in a response that says that a limit is reached; null for other responses. */
const refusalOf = ({ status, headers, body }: RawAnswer): object | null =>
  status === 429 ? { code: (body as { code?: string } | undefined)?.code, policy: headers['ratelimit-policy'] } : null;
const refusedBy = (rate: DeclaredRate): object => ({ code: 'too_many_requests', policy: policyOf(rate) });

/** Reaches every rate limit that the document declares for an operation. */
export function limitsSuite(installation: Installation): void {
  const { operations, surface } = installation;
  let test: TestApp;
  let tiny: TestApp;
  let small: TestApp;
  let tenant: Tenant;
  let inTiny: RawClient;
  let inSmall: RawClient;

  const started = async (scale: number): Promise<TestApp> =>
    startTestApp({
      ...{ databaseUrl: test.databaseUrl, masterKey: test.masterKey },
      env: { ROLE: 'api', RATE_LIMIT_SCALE: String(scale), TRUST_PROXY: '127.0.0.1/32', ...(await peerSettings()) },
    });

  beforeAll(async () => {
    test = await installation.start();
    tiny = await started(TINY);
    small = await started(SMALL);
    inTiny = new RawClient(tiny.url);
    inSmall = new RawClient(small.url);
    tenant = await Tenant.create(test, surface);
  });
  afterAll(async () => {
    inTiny?.close();
    inSmall?.close();
    await tenant?.close();
    await small?.close();
    await tiny?.close();
    await test?.close();
  });

  /** Limits are checked first, so the caller need not exist. */
  const knock = ({ method, path, surface: own }: ApiOperation, address: string, environmentId = randomUUID()) =>
    inTiny.send({
      method,
      path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        name === 'environmentId' ? environmentId : (own.kinds?.[name] ?? surface.kinds[name] ?? randomUUID()),
      ),
      headers: { 'x-forwarded-for': address },
    });

  /** An operation that counts against the general limits of its audience only. */
  const neutralTo = ({ audience }: ApiOperation): ApiOperation =>
    operations.find(
      (one) =>
        one.method === 'GET' &&
        one.path.includes('{environmentId}') &&
        (one.audience === 'dashboard') === (audience === 'dashboard') &&
        !ownRate(one),
    )!;
  const ownRate = (operation: ApiOperation): DeclaredRate | undefined =>
    declaredRates(operation).find((rate) => !rate.isGeneral);

  it('has a document that declares a limit of calls for every operation', () => {
    expect(operations.filter((operation) => declaredRates(operation).length === 0).map(({ id }) => id)).toEqual([]);
    const said = declaredRates({
      limits: ['3 requests per hour and client address', '10000 requests per minute and environment', '5 tries'],
    });
    expect(said).toEqual([
      { most: 3, windowSeconds: 3_600, per: 'client address', isGeneral: false },
      { most: 10_000, windowSeconds: 60, per: 'environment', isGeneral: true },
    ]);
  });

  forEach(operations)('%s is refused with 429 at each limit that it declares', async (_title, operation) => {
    for (const rate of declaredRates(operation)) {
      const points = pointsOf(rate.most, TINY);
      const address = newAddress();
      if (rate.per !== 'client address') {
        const environmentId = randomUUID();
        const network = newNetwork();
        const isOfNetwork = rate.per !== 'environment';
        const answers: RawAnswer[] = [];
        for (let call = 0; call <= points; call++) {
          const from = isOfNetwork ? `${network}:${(call + 1).toString(16)}::1` : newAddress();
          answers.push(await knock(operation, from, environmentId));
        }
        const refusals = answers.map(refusalOf);
        expect(refusals.at(-1)).toEqual(refusedBy(rate));
        // Operations without an environment are all counted together.
        if (operation.path.includes('{environmentId}')) expect(refusals.slice(0, -1).filter(Boolean)).toEqual([]);
        continue;
      }
      const isBehindOwn = rate.isGeneral && ownRate(operation) !== undefined;
      const counted = isBehindOwn ? neutralTo(operation) : operation;
      for (let call = 0; call < points; call++) expect(refusalOf(await knock(counted, address))).toBeNull();
      const last = await knock(operation, address);
      expect(refusalOf(last)).toEqual(refusedBy(rate));
      expect(Number(last.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      // Other callers are not affected.
      expect(refusalOf(await knock(operation, newAddress()))).toBeNull();
    }
  });

  forEach(operations.filter((operation) => saidRate(operation) !== undefined))(
    '%s is refused with 429 at the limit that its own words name',
    async (_title, operation) => {
      const rate = saidRate(operation)!;
      const from = newAddress();
      // A success may end the session or use up its input, so each call is a new valid one.
      const call = async (): Promise<RawAnswer> => {
        const { headers, ...request } = await validCall(tenant, operation);
        return inSmall.send({ ...request, headers: { ...headers, 'x-forwarded-for': from } });
      };
      for (let at = 0; at < pointsOf(rate.most, SMALL); at++) expect(refusalOf(await call())).toBeNull();
      expect(refusalOf(await call())).toEqual(refusedBy(rate));
    },
  );
}

/** A client's rate limit that is checked after the guard, such as that of sign-ins. */
function saidRate(operation: ApiOperation): DeclaredRate | undefined {
  const said = operation.limits.map(clientLimitOf).find((rate) => rate !== null);
  const guarded = declaredRates(operation).some(({ most, per }) => most === said?.most && per === 'client address');
  return said && !guarded ? said : undefined;
}
