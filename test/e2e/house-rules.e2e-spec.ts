import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Module, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { APP_INTERCEPTOR, ModulesContainer, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import {
  HouseRulesModule,
  Maintenance,
  MaintenanceGuard,
  NormalForm,
  ServedBy,
  ServerTiming,
  VendorOutage,
  VendorOutageFilter,
} from '../../examples/house-rules/index.js';
import { AppModule } from '../../src/app.module.js';
import { operationHandlers } from '../../src/common/http/handlers.js';
import { ProjectingAdapter } from '../../src/common/http/projecting.adapter.js';
import { receiveRequests } from '../../src/common/http/receive-requests.js';
import { parseKeyRing } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { operations, type ApiOperation } from '../support/surface/operations.js';
import { RawClient, type RawAnswer } from '../support/surface/raw-client.js';
import { Tenant } from '../support/surface/tenant.js';
import { freshProof } from '../support/surface/fresh-proof.js';
import { rightToken, validCall } from '../support/surface/valid-call.js';
import { newEmail } from '../support/world.js';
import { peerSettings } from '../support/suites/peers.js';

const OUTAGE = 'x-outage';

/** The vendor of this interceptor is away whenever a test says so, which is before the handler and its pipes. */
@Injectable()
class AsksVendor implements NestInterceptor {
  intercept(context: ExecutionContext, handler: CallHandler) {
    if (context.switchToHttp().getRequest<Request>().headers[OUTAGE]) throw new VendorOutage();
    return handler.handle();
  }
}

@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: AsksVendor }] })
class VendorModule {}

const extensions = [HouseRulesModule, VendorModule];

const parts = {
  middleware: jest.spyOn(ServedBy.prototype, 'use'),
  guard: jest.spyOn(MaintenanceGuard.prototype, 'canActivate'),
  interceptor: jest.spyOn(ServerTiming.prototype, 'intercept'),
  pipe: jest.spyOn(NormalForm.prototype, 'transform'),
  filter: jest.spyOn(VendorOutageFilter.prototype, 'catch'),
};
type Part = keyof typeof parts;

describe('what a team adds in the ordinary way of Nest', () => {
  let test: TestApp;
  let tenant: Tenant;
  let client: RawClient;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api', ...(await peerSettings()) }, extensions });
    tenant = await Tenant.create(test);
    client = new RawClient(test.url);
  });
  afterAll(async () => {
    client.close();
    await tenant.close();
    await test.close();
    jest.restoreAllMocks();
  });

  /** Which parts a call went through; each may see it once, the pipe once for each argument. */
  async function partsOf(send: () => Promise<RawAnswer>): Promise<{ answer: RawAnswer; seen: Part[] }> {
    for (const part of Object.values(parts)) part.mockClear();
    const answer = await send();
    const seen = (Object.keys(parts) as Part[]).filter((part) => parts[part].mock.calls.length > 0);
    const twice = seen.filter((part) => part !== 'pipe' && parts[part].mock.calls.length > 1);
    expect(twice).toEqual([]);
    return { answer, seen };
  }

  async function refused(operation: ApiOperation, path: string, from = client): Promise<RawAnswer> {
    const token = await rightToken(tenant, operation);
    const proof = await freshProof(tenant, operation, token);
    return from.send({ method: operation.method, path, token, headers: { ...proof, [OUTAGE]: 'yes' } });
  }

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'is called for %s: middleware, guard, interceptor and pipe',
    async (id, operation) => {
      const call = await validCall(tenant, operation);
      const { answer, seen } = await partsOf(() => client.send(call));
      // Those that are retired answer 410 and nothing else.
      expect([id, answer.status < 300 || answer.status === 410 ? '' : answer.text]).toEqual([id, '']);
      const handler = operationHandlers(test.app.get(ModulesContainer)).find((each) => each.id === id)!.handler;
      const hasArguments = (handler as { length: number }).length > 0;
      const wanted: Part[] = ['middleware', 'guard', 'interceptor', ...(hasArguments ? (['pipe'] as const) : [])];
      expect(seen).toEqual(wanted);
      expect(answer.headers['x-served-by']).toBe('eu-west');
    },
  );

  /** Spellings of a path, and whether Express takes them for it. */
  const spellings = (path: string): [name: string, path: string, isTheSame: boolean][] => {
    const upper = path.replaceAll(/[^/]+/g, (word) => (/^[0-9a-f-]{36}$/.test(word) ? word : word.toUpperCase()));
    const encoded = path.replace(
      /\/([0-9a-f])([0-9a-f-]{35})/,
      (_, first: string, rest: string) => `/%${first.charCodeAt(0).toString(16)}${rest}`,
    );
    return [
      ['as it is', path, true],
      ['with a slash at the end', `${path}/`, true],
      ['in capitals', upper, true],
      ['with a letter behind an escape', encoded, true],
      ['with a query', `${path}?`, true],
      ['with two slashes', path.replace('/v0/', '/v0//'), false],
      ['with two slashes before it', `/${path}`, false],
    ];
  };

  async function blindSpots(from: RawClient): Promise<string[]> {
    const faults: string[] = [];
    for (const operation of operations) {
      // Ids of kinds are words, which have one spelling; ids of records have the same meaning in either case.
      for (const [name, path, isTheSame] of spellings(tenant.pathOf(operation))) {
        const { answer, seen } = await partsOf(() => refused(operation, path, from));
        const wanted = isTheSame ? 'middleware guard interceptor filter' : 'middleware';
        const code = isTheSame ? 'vendor_outage' : 'unknown_operation';
        if (seen.join(' ') !== wanted || (answer.body as { code?: string }).code !== code)
          faults.push(`${operation.id} ${name}: ${seen.join(' ')}, ${answer.text.slice(0, 120)}`);
      }
    }
    return faults;
  }

  it('is called for every spelling of a path that Express accepts, as is the filter', async () => {
    expect((await blindSpots(client)).slice(0, 10)).toEqual([]);
    // Every operation in every spelling takes its time.
  }, 240_000);

  it('would be bypassed if operations were answered before middleware', async () => {
    class Hasty extends ProjectingAdapter {
      override createMiddlewareFactory(): () => void {
        return () => undefined;
      }
    }
    @Module({
      imports: [AppModule.forRoot({ config: test.config, vault: parseKeyRing(test.masterKey), extensions })],
    })
    class Root {}
    const options = { bodyParser: false, logger: false } as const;
    const hasty = await NestFactory.create<NestExpressApplication>(Root, new Hasty(), options);
    hasty.use(receiveRequests());
    await hasty.listen(0, '127.0.0.1');
    const { port } = hasty.getHttpServer().address() as { port: number };
    const there = new RawClient(`http://127.0.0.1:${port}`);
    const { seen } = await partsOf(() => refused(operations[0]!, tenant.pathOf(operations[0]!), there));
    expect(seen).toEqual(['guard', 'interceptor', 'filter']);
    there.close();
    await hasty.close();
  });

  it('may refuse, with an error that has a page, after the access guard', async () => {
    const maintenance = test.app.get(Maintenance, { strict: false });
    maintenance.isOn = true;
    try {
      const call = { method: 'POST', path: `/api/v0${tenant.world.path('/users')}`, body: '{}' };
      const told = await client.send({ ...call, token: tenant.world.token });
      expect([told.status, told.headers['retry-after'], told.body]).toEqual([
        503,
        '60',
        expect.objectContaining({ code: 'under_maintenance', requestId: expect.any(String) }),
      ]);
      expect((await client.send(call)).status).toBe(401);
    } finally {
      maintenance.isOn = false;
    }
  });

  it('has its effects: text arrives in one form, responses say how long they took', async () => {
    const body = JSON.stringify({ email: newEmail(), alias: 'Cafe\u0301' });
    const path = `/api/v0${tenant.world.path('/users')}`;
    const answer = await client.send({ method: 'POST', path, token: tenant.world.token, body });
    expect(answer.body).toMatchObject({ user: { alias: 'Caf\u00e9' } });
    expect(answer.headers['server-timing']).toMatch(/^handler;dur=\d+\.\d$/);
  });

  it('writes responses of its own, with the headers of all responses', async () => {
    const answer = await client.send({ method: 'GET', path: '/badge.svg' });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringContaining('image/svg+xml')]);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['x-served-by']).toBe('eu-west');
  });
});
