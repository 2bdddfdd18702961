import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openSocket } from '../../src/custody/signer/process/signer-socket.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { ServiceProcess } from '../support/service-process.js';

const CALLS = 500;
const OWNER = { environmentId: 'e', userId: 'u', keysId: 'k' };

describe('a signer of its own that is told to stop', () => {
  const running: ServiceProcess[] = [];
  afterEach(() => Promise.all(running.filter(({ isRunning }) => isRunning).map((signer) => signer.end('SIGKILL'))));

  it('answers what it was asked, makes room for the next one meanwhile, and exits', async () => {
    const settings = {
      DATA_DIR: mkdtempSync(join(tmpdir(), 'gatehouse-signer-stop-')),
      MASTER_KEY: generateMasterKey(),
      SIGNER_SECRET: randomBytes(32).toString('hex'),
      ROLE: 'signer',
    };
    const start = async (): Promise<ServiceProcess> => {
      const started = ServiceProcess.spawn(settings);
      running.push(started);
      await started.until(() => Promise.resolve(started.output.includes('ready on')));
      return started;
    };
    const address = { path: join(settings.DATA_DIR, 'signer', 'signer.sock'), secret: settings.SIGNER_SECRET };
    const first = await start();
    const link = await openSocket(address);
    const other = await openSocket(address);
    const chains = ['EVM', 'SOL', 'SUI', 'BTC'].map((chain) => ({ chain, index: 0 }));
    await link.ping();
    // Those that are on their way when the signal comes, too.
    const ended = first.end('SIGTERM');
    const asked = Array.from({ length: CALLS }, () => link.call('wallet.createSeed', [OWNER, chains]));
    const answers = Promise.allSettled(asked);
    await other.closed;
    const next = await start();
    expect((await answers).filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await ended).toBe(0);
    expect([link.isOpen, other.isOpen]).toEqual([false, false]);
    const renewed = await openSocket(address);
    await renewed.ping();
    renewed.destroy();
    expect(await next.end('SIGTERM')).toBe(0);
  });
});
