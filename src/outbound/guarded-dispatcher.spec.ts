import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import { createServer as createHttpServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, Socket } from 'node:net';
import type { AddressInfo, LookupFunction, Server, TcpNetConnectOpts } from 'node:net';
import { Standstill } from '../../test/support/standstill.js';
import { EgressPolicy } from './egress-policy.js';
import { GuardedDispatcher } from './guarded-dispatcher.js';
import type { GuardedDispatcherOptions } from './guarded-dispatcher.js';
import type { ResolveHost } from './host-resolver.js';
import { OutboundHttp } from './outbound-http.js';
import { OutboundError } from './outbound.errors.js';
import type { OutboundErrorKind } from './outbound.errors.js';
import { selfSigned } from './self-signed.fixture.js';
import { FORBIDDEN_ANSWERS, FORBIDDEN_HOSTS } from './ssrf-vectors.js';

const PUBLIC: LookupAddress = { address: '93.184.216.34', family: 4 };
const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 };

let closing: (() => unknown)[];
let trapPort: number;
let trapped: number;

beforeEach(async () => {
  closing = [];
  trapped = 0;
  trapPort = await listen(createServer((socket) => (trapped++, socket.destroy())));
});

afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/** So long that no test meets them: a process that is halted finds its time-outs over before the answer that is there. */
const PATIENT = { connectTimeoutMs: 30_000, dnsTimeoutMs: 30_000 };

/** A client whose policy forbids the loopback, though every other rule is off, unless `allow` says otherwise. */
function client(ports: number[], options: GuardedDispatcherOptions = {}, allow = ''): OutboundHttp {
  const policy = new EgressPolicy(allow, { allowHttp: true, allowIpLiterals: true, allowedPorts: ports });
  const dispatcher = new GuardedDispatcher(policy, { ...PATIENT, ...options });
  const http = new OutboundHttp(policy, dispatcher);
  closing.unshift(() => dispatcher.destroy());
  return http;
}

async function failureOf(http: OutboundHttp, url: string): Promise<OutboundErrorKind | number> {
  try {
    return (await http.send({ method: 'POST', url, body: '{}', timeoutMs: 30_000 })).status;
  } catch (error) {
    if (error instanceof OutboundError) return error.kind;
    throw error;
  }
}

/** Everything `net.connect` was told to dial; the sockets themselves go to a local port, whatever the code does. */
function recordingDial(localPort: number): { dialled: string[]; dial: GuardedDispatcherOptions['dial'] } {
  const dialled: string[] = [];
  const dial = (options: TcpNetConnectOpts) => {
    const { lookup } = options;
    if (lookup) dialled.push(...answersOf(lookup));
    else dialled.push(options.host ?? '');
    return connect({ host: '127.0.0.1', port: localPort });
  };
  return { dialled, dial };
}

function answersOf(lookup: LookupFunction): string[] {
  const found: string[] = [];
  lookup('ignored', { all: true }, (_error, addresses) => {
    if (Array.isArray(addresses)) found.push(...addresses.map(({ address }) => address));
  });
  return found;
}

function answering(answer: string): RequestListener {
  return (request, response) => request.resume().on('end', () => response.end(answer));
}

describe('the trap on the loopback', () => {
  it('is reached when the policy allows it, so that silence means something', async () => {
    expect(await failureOf(client([], {}, '127.0.0.1'), `http://127.0.0.1:${trapPort}/`)).toBe('refused');
    expect(trapped).toBe(1);
  });

  it('sees no connection from any forbidden host, spelt as the vectors spell it', async () => {
    const { dialled, dial } = recordingDial(trapPort);
    const http = client([trapPort], { resolveHost: () => Promise.resolve([LOOPBACK]), dial });
    for (const [host] of FORBIDDEN_HOSTS) expect(await failureOf(http, `http://${host}:${trapPort}/`)).toBe('blocked');
    expect([dialled, trapped]).toEqual([[], 0]);
  });

  it('sees no connection from a forbidden literal handed to the dispatcher past the URL check', async () => {
    const policy = new EgressPolicy('', { allowHttp: true, allowIpLiterals: true, allowedPorts: [trapPort] });
    const dispatcher = new GuardedDispatcher(policy);
    closing.unshift(() => dispatcher.destroy());
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '[::1]', '[64:ff9b::7f00:1]']) {
      const request = dispatcher.request({ origin: `http://${host}:${trapPort}`, path: '/', method: 'GET' });
      await expect(request).rejects.toMatchObject({ kind: 'blocked' });
    }
    expect(trapped).toBe(0);
  });

  it('sees no connection from a public name with any forbidden answer, alone or beside public ones', async () => {
    const { dialled, dial } = recordingDial(trapPort);
    for (const address of FORBIDDEN_ANSWERS) {
      const answer = { address, family: address.includes(':') ? 6 : 4 };
      const alone = client([trapPort], { resolveHost: () => Promise.resolve([answer]), dial });
      const mixed = client([trapPort], { resolveHost: () => Promise.resolve([PUBLIC, answer, PUBLIC]), dial });
      expect(await failureOf(alone, `http://public.example:${trapPort}/`)).toBe('blocked');
      expect(await failureOf(mixed, `http://public.example:${trapPort}/`)).toBe('blocked');
    }
    expect([dialled, trapped]).toEqual([[], 0]);
  });

  it('sees no connection from a name that is public when checked and private when asked again', async () => {
    const port = await listen(createHttpServer(answering('public')));
    const answers = [[PUBLIC], [LOOPBACK], [LOOPBACK]];
    let lookups = 0;
    const { dialled, dial } = recordingDial(port);
    const resolveHost: ResolveHost = () => Promise.resolve(answers[lookups++] ?? []);
    const http = client([trapPort], { resolveHost, dial, connectionsPerOrigin: 1 });

    expect(await failureOf(http, `http://rebind.example:${trapPort}/`)).toBe(200);
    expect([lookups, dialled]).toEqual([1, [PUBLIC.address]]);
    // The pooled connection still leads to the address that was checked: no second look-up, no second dial.
    expect(await failureOf(http, `http://rebind.example:${trapPort}/`)).toBe(200);
    expect([lookups, dialled]).toEqual([1, [PUBLIC.address]]);

    const later = client([trapPort], { resolveHost, dial });
    expect(await failureOf(later, `http://rebind.example:${trapPort}/`)).toBe('blocked');
    expect([lookups, dialled, trapped]).toEqual([2, [PUBLIC.address], 0]);
  });

  it('sees no connection after five minutes from a name that was public for as long as its connection is kept', async () => {
    const port = await listen(createHttpServer(answering('public')));
    const answers = [[PUBLIC], [LOOPBACK]];
    const { dialled, dial } = recordingDial(port);
    const resolveHost: ResolveHost = () => Promise.resolve(answers.shift() ?? []);
    const http = client([trapPort], { resolveHost, dial, connectionsPerOrigin: 2 });
    const began = Date.now();
    const clock = jest.spyOn(Date, 'now');
    const after = async (ms: number) => {
      // A connection is used again from the next turn of the event loop on; before, another one would be opened.
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      clock.mockReturnValue(began + ms);
      return failureOf(http, `http://rebind.example:${trapPort}/`);
    };
    try {
      expect([await after(0), await after(5 * 60_000), await after(5 * 60_000 + 1)]).toEqual([200, 200, 'blocked']);
    } finally {
      clock.mockRestore();
    }
    expect([dialled, trapped]).toEqual([[PUBLIC.address], 0]);
  });

  it.each(['http://127.0.0.1', 'http://localhost', 'http://169.254.169.254', 'file:///etc/passwd', '//127.0.0.1'])(
    'sees no connection after a redirect to %s',
    async (target) => {
      const location = target.startsWith('file:') ? target : `${target}:${trapPort}/`;
      const port = await listen(
        createHttpServer((request, response) =>
          request.resume().on('end', () => response.writeHead(307, { location }).end()),
        ),
      );
      const http = client([port], { resolveHost: () => Promise.resolve([LOOPBACK]) }, 'receiver.example');
      const result = await http.send({ method: 'POST', url: `http://receiver.example:${port}/`, timeoutMs: 30_000 });
      expect([result.status, result.headers.location, trapped]).toEqual([307, location, 0]);
    },
  );
});

describe('a connection', () => {
  it('offers every checked address to the dialler and nothing else', async () => {
    const port = await listen(createHttpServer(answering('ok')));
    const { dialled, dial } = recordingDial(port);
    const second = { address: '2606:4700::1111', family: 6 };
    const http = client([port], { resolveHost: () => Promise.resolve([PUBLIC, second]), dial });
    expect(await failureOf(http, `http://two.example:${port}/`)).toBe(200);
    expect(dialled).toEqual([PUBLIC.address, second.address]);
  });

  it('falls back to the next checked address when the first does not answer', async () => {
    const port = await listen(createHttpServer(answering('ok')));
    const unused = { address: '::1', family: 6 };
    const http = client([], { resolveHost: () => Promise.resolve([unused, LOOPBACK]) }, 'receiver.example');
    expect(await failureOf(http, `http://receiver.example:${port}/`)).toBe(200);
  });

  it('is kept and shared: concurrent and later requests to one origin ask DNS once', async () => {
    let connections = 0;
    let lookups = 0;
    const server = createHttpServer(answering('ok')).on('connection', () => connections++);
    const port = await listen(server);
    const resolveHost: ResolveHost = () => (lookups++, Promise.resolve([LOOPBACK]));
    const http = client([], { resolveHost }, 'receiver.example');
    const url = `http://receiver.example:${port}/`;
    expect(await Promise.all(Array.from({ length: 20 }, () => failureOf(http, url)))).toEqual(Array(20).fill(200));
    for (let i = 0; i < 20; i++) expect(await failureOf(http, url)).toBe(200);
    expect(lookups).toBe(1);
    expect(connections).toBeLessThanOrEqual(20);
  });

  it('opens no more sockets to one origin than its limit', async () => {
    let connections = 0;
    const port = await listen(createHttpServer(answering('ok')).on('connection', () => connections++));
    const resolveHost: ResolveHost = () => Promise.resolve([LOOPBACK]);
    const http = client([], { resolveHost, connectionsPerOrigin: 2 }, 'receiver.example');
    const url = `http://receiver.example:${port}/`;
    await Promise.all(Array.from({ length: 20 }, () => failureOf(http, url)));
    expect(connections).toBe(2);
  });

  it.each([
    ['a name that does not exist', () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))],
    ['a server failure', () => Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' }))],
    ['an empty answer', () => Promise.resolve([])],
    ['a resolver that never answers', () => new Promise<never>(() => undefined)],
  ])('fails as dns for %s, within the bound of a look-up', async (_case, resolveHost: ResolveHost) => {
    const [startedAt, standstill] = [performance.now(), Standstill.watch()];
    const http = client([trapPort], { resolveHost, dnsTimeoutMs: 200 });
    expect(await failureOf(http, `http://public.example:${trapPort}/`)).toBe('dns');
    expect(performance.now() - startedAt).toBeLessThan(500 + standstill.ms);
    standstill.stop();
    expect(trapped).toBe(0);
  });

  it('asks a hanging name once, however many requests wait for it', async () => {
    let lookups = 0;
    const resolveHost: ResolveHost = () => (lookups++, new Promise<never>(() => undefined));
    const http = client([443], { resolveHost, dnsTimeoutMs: 200 });
    const kinds = await Promise.all(Array.from({ length: 10 }, () => failureOf(http, 'https://hang.example/')));
    expect(kinds).toEqual(Array(10).fill('dns'));
    expect(lookups).toBe(1);
  });

  it('fails as timeout when the peer never completes it', async () => {
    // A socket that nobody connects: a port that swallows connection requests is not to be had everywhere.
    const dial = () => new Socket();
    const http = client([443], { resolveHost: () => Promise.resolve([PUBLIC]), dial, connectTimeoutMs: 200 });
    const [startedAt, standstill] = [performance.now(), Standstill.watch()];
    expect(await failureOf(http, 'http://hang.example:443/')).toBe('timeout');
    expect(performance.now() - startedAt).toBeLessThan(600 + standstill.ms);
    standstill.stop();
  });

  it('fails as refused when nobody listens', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const http = client([], { resolveHost: () => Promise.resolve([LOOPBACK]) }, 'receiver.example');
    expect(await failureOf(http, `http://receiver.example:${port}/`)).toBe('refused');
  });
});

describe('a TLS connection', () => {
  const { key, cert } = selfSigned('receiver.example');
  const resolveHost: ResolveHost = () => Promise.resolve([LOOPBACK]);

  it('is opened with the host name in SNI and in the certificate, though an address was dialled', async () => {
    const names: unknown[] = [];
    const server = createHttpsServer({ key, cert }, (request, response) => {
      names.push('servername' in request.socket ? request.socket.servername : null, request.headers.host);
      response.end('ok');
    });
    const port = await listen(server);
    const http = client([], { resolveHost, ca: cert }, 'receiver.example');
    expect(await failureOf(http, `https://receiver.example:${port}/`)).toBe(200);
    expect(names).toEqual(['receiver.example', `receiver.example:${port}`]);
  });

  it.each([
    ['its certificate is signed by nobody known', 'receiver.example', undefined],
    ['its certificate is for another name', 'other.example', cert],
    ['its certificate is for a name and the host is a literal', '127.0.0.1', cert],
  ])('fails as tls when %s', async (_case, host, ca) => {
    let requests = 0;
    const port = await listen(createHttpsServer({ key, cert }, (_request, response) => (requests++, response.end())));
    const http = client([], { resolveHost, ca }, 'receiver.example,other.example,127.0.0.1');
    expect(await failureOf(http, `https://${host}:${port}/`)).toBe('tls');
    expect(requests).toBe(0);
  });

  it('fails as tls when its certificate has expired', async () => {
    const old = selfSigned('receiver.example', -1);
    const port = await listen(createHttpsServer(old, (_request, response) => response.end()));
    const http = client([], { resolveHost, ca: old.cert }, 'receiver.example');
    expect(await failureOf(http, `https://receiver.example:${port}/`)).toBe('tls');
  });

  it('fails as tls when the peer speaks something else, and as timeout when it says nothing', async () => {
    const plain = await listen(
      createServer((socket) =>
        socket
          .on('error', () => undefined)
          .resume()
          .end('220 mail ready\r\n'),
      ),
    );
    const mute = await listen(createServer((socket) => socket.on('error', () => undefined).resume()));
    const http = client([], { resolveHost }, 'receiver.example');
    expect(await failureOf(http, `https://receiver.example:${plain}/`)).toBe('tls');
    const brief = client([], { resolveHost, connectTimeoutMs: 200 }, 'receiver.example');
    expect(await failureOf(brief, `https://receiver.example:${mute}/`)).toBe('timeout');
  });
});
