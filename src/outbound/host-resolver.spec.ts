import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DnsServer } from '../../test/support/dns-server.js';
import { Standstill } from '../../test/support/standstill.js';
import { EgressPolicy } from './egress-policy.js';
import { GuardedDispatcher } from './guarded-dispatcher.js';
import { HostResolver, resolveWithDns } from './host-resolver.js';
import { OutboundHttp } from './outbound-http.js';

/** Longer than the thread pool of Node has threads by default. */
const THREADS = 5;

describe('a host name that strangers choose', () => {
  let server: DnsServer;
  let resolver: HostResolver;

  beforeAll(async () => {
    server = await DnsServer.start();
    resolver = new HostResolver(resolveWithDns([server.address]));
  });
  afterAll(() => server.close());

  it('has the addresses of both families that the DNS names', async () => {
    server.set('A', 'both.example.com', '192.0.2.1');
    server.set('AAAA', 'both.example.com', '2001:db8::1');
    server.set('A', 'four.example.com', '192.0.2.2');
    expect(await resolver.resolve('both.example.com')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
    expect(await resolver.resolve('four.example.com')).toEqual([{ address: '192.0.2.2', family: 4 }]);
  });

  it('has the addresses of one family where nobody answers about the other', async () => {
    server.set('A', 'half.example.com', '192.0.2.3');
    server.misbehave('AAAA half.example.com', 'silent');
    const patient = new HostResolver(resolveWithDns([server.address]), 30_000);
    expect(await patient.resolve('half.example.com')).toEqual([{ address: '192.0.2.3', family: 4 }]);
  });

  it.each(['nowhere.example.com', 'failing.example.com', 'silent.example.com'])('has none: %s', async (name) => {
    server.misbehave('failing.example.com', 'fails');
    server.misbehave('silent.example.com', 'silent');
    await expect(resolver.resolve(name)).rejects.toMatchObject({ name: 'OutboundError', kind: 'dns' });
  });
});

describe('while no thread of the process is free', () => {
  let release = async (): Promise<void> => undefined;

  /** Opening a pipe that nobody writes to occupies a thread until somebody does, as a name server that is silent would. */
  function occupyThreads(): void {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-threads-'));
    const pipes = Array.from({ length: THREADS }, (_, at) => join(folder, String(at)));
    execFileSync('mkfifo', pipes);
    const waiting = pipes.map((path) => open(path, 'r'));
    release = async () => {
      // Open until all have been read: the last ones begin to wait when a thread is free for them.
      const writers = pipes.map((path) => openSync(path, 'r+'));
      for (const file of await Promise.all(waiting)) await file.close();
      for (const writer of writers) closeSync(writer);
      rmSync(folder, { recursive: true });
    };
  }
  afterEach(() => release());

  it('a name that strangers choose is looked up all the same', async () => {
    const policy = new EgressPolicy('', { allowHttp: false, allowIpLiterals: false });
    const dispatcher = new GuardedDispatcher(policy, { dnsTimeoutMs: 15_000 });
    occupyThreads();
    const [startedAt, standstill] = [performance.now(), Standstill.watch()];
    const sent = new OutboundHttp(policy, dispatcher).send({ method: 'GET', url: 'https://nowhere.invalid/' });
    await expect(sent).rejects.toMatchObject({ kind: 'dns' });
    expect(performance.now() - startedAt).toBeLessThan(4_000 + standstill.ms);
    standstill.stop();
    await dispatcher.destroy();
  });
});

it('a host that the operator has listed is one that the system knows, whatever the DNS says', async () => {
  const receiver = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const policy = new EgressPolicy('localhost', { allowHttp: false, allowIpLiterals: false });
  const dispatcher = new GuardedDispatcher(policy);
  const { status } = await new OutboundHttp(policy, dispatcher).send({
    method: 'GET',
    url: `http://localhost:${port}/`,
  });
  expect(status).toBe(200);
  await dispatcher.destroy();
  receiver.close();
});
