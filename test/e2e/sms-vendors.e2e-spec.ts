import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Refusal } from '../support/codes.js';
import { HURRIED, hurry } from '../support/hurried.js';
import { captureLog } from '../support/log.js';
import { newPhone } from '../support/sms.js';
import { World } from '../support/world.js';

const SECRET = 'canary-secret-of-the-vendor';
const SWISS = [{ isoCountryCode: 'CH', phoneCountryCode: '41' }];
const ACCEPTED = JSON.stringify({ sid: 'SM1', status: 'queued' });
const JSON_TYPE = { 'content-type': 'application/json' };

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;
const accepts: Behaviour = (response) => void response.writeHead(201, JSON_TYPE).end(ACCEPTED);

/** Vendors of text messages, and a server inside of the network that nobody is to reach. */
let vendor: Server;
let inside: Server;
let isInsideAsked = false;
let behaves: Behaviour = accepts;
let bodies: string[] = [];
let test: TestApp;
let env: Record<string, string>;

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  vendor = await listening(
    createServer((request, response) => {
      void text(request).then((body) => {
        bodies.push(body);
        behaves(response, request);
      });
    }),
  );
  inside = await listening(
    createServer((_, response) => {
      isInsideAsked = true;
      response.writeHead(201, JSON_TYPE).end(ACCEPTED);
    }),
  );
  env = { ROLE: 'api', PROVIDER_ADDRESSES: JSON.stringify({ sms: { api: originOf(vendor) } }) };
  test = await startTestApp({ env: { ...env, LOG_LEVEL: 'debug' }, prepare: hurry });
});
afterAll(async () => {
  await test.close();
  for (const server of [vendor, inside]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  behaves = accepts;
  bodies = [];
});

async function enabled(where: object = { accountSid: 'AC1' }, of = test): Promise<World> {
  const world = await World.create(of);
  const body = { clientSecret: SECRET, smsSenderNumber: '+15005550006', enabledCountries: SWISS, ...where };
  const made = await world.owner.post<{ id: string }>(world.path('/settings/providers/type/sms'), body, {
    expect: 201,
  });
  await world.owner.put(`/settings/providers/${made.body.id}/enable`, undefined, { expect: 200 });
  return world;
}
const send = (world: World, phone = newPhone()) =>
  world.anonymous.post<Refusal & { verificationUUID: string }>(world.sdk('/smsVerifications/create'), phone.body);
const outcome = ({ status, body, headers }: Awaited<ReturnType<typeof send>>) =>
  status === 201 ? 201 : [status, body.code, headers.get('retry-after')];
const AWAY = [503, 'sms_unavailable', '30'];
const codeIn = (body: string): string => /\b\d{6}\b/.exec(new URLSearchParams(body).get('Body') ?? '')![0];

const BAD: Record<string, Behaviour> = {
  'hangs up': (_, request) => void request.socket.destroy(),
  'hangs up half-way': (response, request) => {
    response.writeHead(201, { ...JSON_TYPE, 'content-length': '1000' }).write('{"sid":');
    setTimeout(() => request.socket.destroy(), 20);
  },
  'sends us inside': (response) => void response.writeHead(301, { location: originOf(inside) }).end(),
  'sends the text inside': (response) => void response.writeHead(307, { location: originOf(inside) }).end(),
  'shows a page': (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>We are back soon.</html>'),
  'answers nothing': (response) => void response.writeHead(200).end(),
  'compresses a bomb': (response) =>
    void response
      .writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' })
      .end(gzipSync(JSON.stringify({ sid: 'x'.repeat(20_000_000) }))),
  'never ends': (response) =>
    void response.writeHead(200, JSON_TYPE).end(JSON.stringify({ no: 'x'.repeat(50_000_000) })),
  'is asked too often': (response) => void response.writeHead(429, { 'retry-after': '3' }).end('{"code":20429}'),
  'has one like it': (response) => void response.writeHead(409).end(),
  'refuses the secret': (response) => void response.writeHead(401).end(`{"message":"${SECRET}"}`),
  fails: (response) => void response.writeHead(500).end(),
  'never answers': () => undefined,
  drips: (response) => {
    response.writeHead(201, JSON_TYPE);
    const drop = setInterval(() => response.write(' '), 500);
    response.on('close', () => clearInterval(drop));
  },
  'answers too late': (response) => void setTimeout(() => accepts(response, response.req), 10_500 / HURRIED).unref(),
};

describe('a code by text message', () => {
  it('that a vendor has accepted signs its reader in', async () => {
    const world = await enabled();
    const started = await send(world);
    expect(started.status).toBe(201);
    const answer = { verificationUUID: started.body.verificationUUID, verificationToken: codeIn(bodies[0]!) };
    await world.anonymous.post(world.sdk('/smsVerifications/signin'), answer, { expect: 200 });
  });

  it('is said to be unsent whatever else the vendor answers, and the next one is sent', async () => {
    const world = await enabled();
    const asked = Object.entries(BAD).map(([name, bad]) => ({ name, bad, phone: newPhone() }));
    // All at once, so they are told apart by the number.
    behaves = (response, request) => {
      const to = new URLSearchParams(bodies.at(-1)).get('To');
      asked.find(({ phone }) => phone.e164 === to)!.bad(response, request);
    };
    const log = captureLog();
    const told = await Promise.all(asked.map(async ({ name, phone }) => [name, outcome(await send(world, phone))]));
    log.stop();
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(Object.keys(BAD).map((name) => [name, AWAY])));
    expect(isInsideAsked).toBe(false);
    expect(bodies).toHaveLength(asked.length);
    expect(log.text()).toContain('sms did not accept a message: status 401');
    for (const secret of [SECRET, ...asked.map(({ phone }) => phone.e164), ...bodies.map(codeIn)])
      expect(log.text()).not.toContain(secret);
    behaves = accepts;
    expect(outcome(await send(world))).toBe(201);
  }, 60_000);

  it.each<[number, number, string]>([
    [400, 21211, 'sms_number_refused'],
    [400, 21610, 'sms_number_refused'],
    [400, 21614, 'sms_number_refused'],
    [403, 21408, 'sms_country_not_enabled'],
  ])(
    'that the account refuses for good with %i and %i is answered 422 %s, and costs none of the day',
    async (status, code, told) => {
      const log = captureLog();
      behaves = (response) =>
        void response.writeHead(status, JSON_TYPE).end(JSON.stringify({ code, message: `to ${SECRET}`, status }));
      const frugal = await startTestApp({ env: { ...env, SMS_PER_DAY: '1' } });
      try {
        const world = await enabled(undefined, frugal);
        const phone = newPhone();
        expect(outcome(await send(world, phone))).toEqual([422, told, null]);
        log.stop();
        for (const secret of [SECRET, phone.e164]) expect(log.text()).not.toContain(secret);
        behaves = accepts;
        expect(outcome(await send(world))).toBe(201);
      } finally {
        log.stop();
        await frugal.close();
      }
    },
  );

  it.each<[string, number, string]>([
    ['another reason', 400, '{"code":21606}'],
    ['a reason that is no number', 400, '{"code":"21211"}'],
    ['a reason in a list', 400, '[{"code":21211}]'],
    ['a page', 400, '<html>21211</html>'],
    ['a refusal of the account', 401, '{"code":20003}'],
    ['a fault', 500, '{"code":21211}'],
  ])('that is refused with %s may be asked for again', async (_, status, body) => {
    behaves = (response) => void response.writeHead(status, JSON_TYPE).end(body);
    expect(outcome(await send(await enabled()))).toEqual(AWAY);
  });

  it("is handed to a gateway of one's own, which need not say anything", async () => {
    behaves = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end();
    expect(outcome(await send(await enabled({ domain: 'sms.example' })))).toBe(201);
  });

  it('keeps no other environment waiting while the vendor does not answer, forty at once', async () => {
    const [world, other] = [await enabled(), await World.create(test)];
    behaves = BAD['never answers']!;
    const waiting = Promise.all(Array.from({ length: 40 }, () => send(world)));
    while (bodies.length < 40) await new Promise((resolve) => setTimeout(resolve, 10));
    const begun = performance.now();
    for (let n = 0; n < 10; n += 1) await other.owner.get(other.path(''), { expect: 200 });
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(new Set((await waiting).map((answer) => String(outcome(answer))))).toEqual(new Set([String(AWAY)]));
  }, 60_000);

  it('costs none of the day where the vendor has refused it, and one where that is not certain', async () => {
    const frugal = await startTestApp({ env: { ...env, SMS_PER_DAY: '4' } });
    try {
      const world = await enabled(undefined, frugal);
      for (const name of ['refuses the secret', 'is asked too often', 'hangs up', 'has one like it']) {
        behaves = BAD[name]!;
        expect(outcome(await send(world))).toEqual(AWAY);
      }
      behaves = accepts;
      expect([outcome(await send(world)), outcome(await send(world))]).toEqual([201, 201]);
      expect((await send(world)).body.code).toBe('sms_budget_used_up');
    } finally {
      await frugal.close();
    }
  });
});
