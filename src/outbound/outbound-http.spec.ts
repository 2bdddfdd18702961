import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import type { SecurityLog } from '../common/security/index.js';
import { EgressPolicy } from './egress-policy.js';
import { GuardedDispatcher } from './guarded-dispatcher.js';
import { OutboundExchange } from './outbound-exchange.js';
import { OutboundHttp } from './outbound-http.js';
import type { OutboundRequest, OutboundResult } from './outbound-http.js';
import { OutboundError, tenantFailure } from './outbound.errors.js';
import type { OutboundErrorKind } from './outbound.errors.js';

const HOST = 'receiver.example';
let http: OutboundHttp;
let dispatcher: GuardedDispatcher;
let servers: Server[];
let sockets: Set<Socket>;

beforeEach(() => {
  servers = [];
  sockets = new Set();
  const policy = new EgressPolicy(HOST, { allowHttp: false, allowIpLiterals: false });
  dispatcher = new GuardedDispatcher(policy, {
    resolveHost: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    connectionsPerOrigin: 4,
    connectTimeoutMs: 30_000,
  });
  http = new OutboundHttp(policy, dispatcher);
});

afterEach(async () => {
  if (!dispatcher.destroyed) await dispatcher.destroy();
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://${HOST}:${(server.address() as AddressInfo).port}/hook`;
}

const web = (listener: RequestListener) => listen(createHttpServer(listener));
const raw = (serve: (socket: Socket) => void) => listen(createServer(serve));

function post(url: string, rest: Partial<OutboundRequest> = {}): Promise<OutboundResult> {
  return http.send({ method: 'POST', url, body: '{"a":1}', timeoutMs: 30_000, ...rest });
}

async function kindOf(call: Promise<unknown>): Promise<OutboundErrorKind> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw new Error(`expected an OutboundError, got ${String(error)}`);
  return error.kind;
}

async function closedSockets(): Promise<void> {
  for (let i = 0; i < 2_000 && sockets.size > 0; i++) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('an outbound request', () => {
  it('sends the bytes as they are, with its own framing headers, and returns the answer', async () => {
    const seen: { headers: IncomingHttpHeaders; body: Buffer; line: string }[] = [];
    const url = await web((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push({ headers: request.headers, body: Buffer.concat(chunks), line: `${request.method} ${request.url}` });
        response.writeHead(202, { 'X-Reply': 'yes', 'set-cookie': ['a=1', 'b=2'] }).end('thanks');
      });
    });
    const body = Buffer.from([0, 0xff, 0x80, 0x0a]);
    const headers = {
      'Content-Type': 'application/json',
      Host: 'evil.example',
      'Accept-Encoding': 'gzip',
      TE: 'trailers',
    };
    const result = await post(`${url}?x=1&y=%2F`, { body, headers });

    expect(result).toMatchObject({
      status: 202,
      truncated: false,
      headers: { 'x-reply': 'yes', 'set-cookie': ['a=1', 'b=2'] },
    });
    expect(result.body.toString()).toBe('thanks');
    expect(result.durationMs).toBeGreaterThan(0);
    expect(seen[0]?.line).toBe('POST /hook?x=1&y=%2F');
    expect(seen[0]?.body).toEqual(body);
    expect(seen[0]?.headers).toMatchObject({
      host: new URL(url).host,
      'content-type': 'application/json',
      'content-length': '4',
      'accept-encoding': 'identity',
      'user-agent': 'gatehouse',
    });
    expect(seen[0]?.headers).not.toHaveProperty('te');
  });

  it('can be a GET without a body and with a user agent of its own', async () => {
    const url = await web((request, response) => response.end(`${request.method} ${request.headers['user-agent']}`));
    const result = await http.send({ method: 'GET', url, headers: { 'user-agent': 'tester' }, timeoutMs: 30_000 });
    expect(result.body.toString()).toBe('GET tester');
  });

  it.each([200, 204, 301, 302, 307, 308, 400, 410, 429, 500, 503])('takes status %d as a result', async (status) => {
    const url = await web((_request, response) => response.writeHead(status, { location: 'http://127.0.0.1/' }).end());
    expect((await post(url)).status).toBe(status);
  });

  it('does not let a header value start another header', async () => {
    const url = await web((_request, response) => response.end());
    expect(await kindOf(post(url, { headers: { 'x-a': 'b\r\nx-c: d' } }))).toBe('protocol');
    expect(sockets.size).toBe(0);
  });

  it.each([
    ['https://169.254.169.254/', ['egress.refused']],
    ['https://redis/', ['egress.refused']],
    ['https://hooks..example.com/', []],
    ['https://example.com:22/', []],
  ])('to %s is blocked, and is in the security log only if it leads inside', async (target, expected) => {
    const noted: string[] = [];
    const log = { record: (event: string) => void noted.push(event) } as unknown as SecurityLog;
    http = new OutboundHttp(new EgressPolicy('', { allowHttp: false, allowIpLiterals: false }), dispatcher, log);
    expect(await kindOf(post(target))).toBe('blocked');
    expect(noted).toEqual(expected);
  });

  it('is blocked before anything happens when the policy refuses its URL', async () => {
    const url = await web((_request, response) => response.end());
    expect(await kindOf(post(url.replace(HOST, '127.0.0.1')))).toBe('blocked');
    expect(await kindOf(post('https://example.com:22/'))).toBe('blocked');
    expect(sockets.size).toBe(0);
  });

  it('reads the raw bytes of a compressed answer', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const url = await web((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const result = await post(url);
    expect(result.headers['content-encoding']).toBe('gzip');
    expect(result.body.equals(bomb)).toBe(true);
  });

  it('skips informational answers', async () => {
    const url = await raw((socket) =>
      socket.on('data', () =>
        socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
      ),
    );
    const result = await post(url);
    expect([result.status, result.body.toString(), result.headers.link]).toEqual([200, 'ok', undefined]);
  });
});

describe('the deadline of an outbound request', () => {
  async function expectDeadline(url: string): Promise<void> {
    const startedAt = performance.now();
    expect(await kindOf(post(url, { timeoutMs: 400 }))).toBe('timeout');
    const elapsed = performance.now() - startedAt;
    expect(elapsed).toBeGreaterThanOrEqual(390);
    // Each of them would go on for ever.
    expect(elapsed).toBeLessThan(40_000);
    await closedSockets();
    expect(sockets.size).toBe(0);
  }

  it('ends a receiver that never answers', async () => {
    await expectDeadline(await web(() => undefined));
  });

  it('ends a body that drips a byte every 50 ms', async () => {
    const url = await web((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    });
    await expectDeadline(url);
  });

  it('ends headers that drip a byte every 50 ms', async () => {
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
      const timer = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    await expectDeadline(url);
  });

  it('ends an endless row of informational answers', async () => {
    const url = await raw((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    await expectDeadline(url);
  });

  it('counts the wait for a free connection, and a request that waited too long is never sent', async () => {
    let requests = 0;
    const url = await web((_request, response) => {
      requests++;
      setTimeout(() => response.end('late'), 300);
    });
    const first = Array.from({ length: 4 }, () => post(url));
    const waiting = Array.from({ length: 4 }, () => kindOf(post(url, { timeoutMs: 100 })));
    expect(await Promise.all(waiting)).toEqual(Array(4).fill('timeout'));
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual(Array(4).fill(200));
    // The four connections are free again and were not broken by the requests that gave up.
    expect((await post(url)).status).toBe(200);
    expect([requests, sockets.size]).toEqual([5, 4]);
  });
});

describe('the size of an answer', () => {
  it.each([
    [0, false],
    [1023, false],
    [1024, false],
    [1025, true],
    [50_000, true],
  ])('of %d bytes under a limit of 1024: truncated is %s', async (size, truncated) => {
    const url = await web((_request, response) => response.end(Buffer.alloc(size, 'x')));
    const result = await post(url, { maxResponseBytes: 1024 });
    expect([result.status, result.body.length, result.truncated]).toEqual([200, Math.min(size, 1024), truncated]);
  });

  it('ends a stream of 1 GB at the limit, with the connection closed and little memory used', async () => {
    let written = 0;
    const block = Buffer.alloc(256 * 1024, 'x');
    const url = await web((_request, response) => {
      response.writeHead(200, { 'content-length': 2 ** 30 });
      const pump = (): void => {
        while (!response.destroyed && written < 2 ** 30) {
          written += block.length;
          if (!response.write(block)) return void response.once('drain', pump);
        }
      };
      pump();
    });
    const before = process.memoryUsage().rss;
    const result = await post(url);
    expect([result.status, result.body.length, result.truncated]).toEqual([200, 65_536, true]);
    await closedSockets();
    expect(sockets.size).toBe(0);
    expect(written).toBeLessThan(32 * 2 ** 20);
    // Of a process that other suites have filled; the stream would be a gigabyte.
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 2 ** 20);
  });

  it('in chunks of one byte takes about as much memory as it has bytes', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = (): number => (collect(), process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers);
    const [size, received] = [2 ** 18, Buffer.alloc(64 * 1024, 'x')];
    const exchange = new OutboundExchange(30_000, size);
    const before = used();
    for (let at = 0; at < size; at += 1) {
      exchange.onResponseData(null as never, received.subarray(at % received.length, (at % received.length) + 1));
    }
    expect(used() - before).toBeLessThan(8 * size);
    exchange.onResponseEnd();
    expect((await exchange.response).body.equals(Buffer.alloc(size, 'x'))).toBe(true);
  });

  it('has few informational answers before it: a flood of them would occupy the process until the deadline', async () => {
    const flood = Buffer.from('HTTP/1.1 103 E\r\n\r\n'.repeat(4_000));
    const url = await raw((socket) => {
      const pour = (): void => {
        while (socket.writable && socket.write(flood));
      };
      socket.once('data', pour).on('drain', pour);
    });
    expect(await kindOf(post(url, { timeoutMs: 5_000 }))).toBe('protocol');
    await closedSockets();
    expect(sockets.size).toBe(0);
  });

  it('in headers is bounded as well', async () => {
    const url = await raw((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(5 * 2 ** 20)}\r\n\r\n`));
    expect(await kindOf(post(url))).toBe('protocol');
  });
});

describe('the failure of an outbound request', () => {
  it.each([
    ['a reset before any answer', 'refused', (socket: Socket) => socket.on('data', () => socket.resetAndDestroy())],
    ['an end before any answer', 'refused', (socket: Socket) => socket.on('data', () => socket.end())],
    ['a body shorter than promised', 'protocol', replying('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', true)],
    ['something that is not HTTP', 'protocol', replying('220 mail ready\r\n', false)],
    [
      'an upgrade nobody asked for',
      'protocol',
      replying('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', false),
    ],
    [
      'two lengths that disagree',
      'protocol',
      replying('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', false),
    ],
  ])('by %s is %s', async (_case, kind, serve) => {
    const url = await raw(serve);
    expect(await kindOf(post(url))).toBe(kind);
  });

  it('is told to a tenant in five words that do not tell a forbidden address from a closed port', () => {
    const kinds: OutboundErrorKind[] = ['timeout', 'dns', 'tls', 'refused', 'blocked', 'protocol'];
    expect(kinds.map(tenantFailure)).toEqual(['timeout', 'dns', 'tls', 'refused', 'refused', 'status']);
  });
});

describe('closing the client', () => {
  it('lets a request under way end, then closes every connection and refuses new ones', async () => {
    const url = await web((_request, response) => void setTimeout(() => response.end('done'), 100));
    const running = post(url);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = http.close();
    expect((await running).body.toString()).toBe('done');
    await closed;
    await http.close();
    await closedSockets();
    expect(sockets.size).toBe(0);
    expect(await kindOf(post(url))).toBe('refused');
  });
});

function replying(text: string, hangUp: boolean): (socket: Socket) => void {
  return (socket) => {
    socket.on('data', () => {
      socket.write(text);
      if (hangUp) socket.end();
    });
  };
}
