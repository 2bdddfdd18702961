import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openChild, SIGNER_FLAGS } from '../../src/custody/signer/process/child-signer.js';
import { TIER_FLAGS } from '../../src/patches/v8-tiers.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { eventually } from '../support/receiver.js';
import { run } from '../support/service-process.js';
import { signersOf } from '../support/signers-of.js';

const ROOT = resolve(import.meta.dirname, '../..');
const CHAINS = ['EVM', 'SOL', 'SUI'];
const AT_ONCE = 8;

describe('a signer of one file, as the production build has it', () => {
  /** Resident, in MiB. */
  const [IDLE, LOADED] = [90, 140];
  const WALLETS = 300;
  const file = join(ROOT, 'dist/signer.js');
  const residentMiB = (pid: number): number =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

  beforeAll(async () => {
    const bundle = `import { bundleSigner } from './scripts/bundle.js';
      import { compile } from './scripts/compile.js';
      await compile({ onlyIfStale: true });
      await bundleSigner();`;
    const { code, stderr } = await run(['node', '--input-type=module', '--eval', bundle], {});
    expect([code, stderr]).toEqual([0, '']);
  }, 240_000);

  it('compiles early what it calls often, like the service', () => {
    expect(SIGNER_FLAGS).toEqual(expect.arrayContaining([...TIER_FLAGS]));
  });

  it('loads nothing but parts of Node before it is asked: no framework, no database, no client of HTTP', () => {
    const loaded = [...readFileSync(file, 'utf8').matchAll(/\b(?:import|from)\s*["']([^"']+)["']/g)].map(
      ([, name]) => name,
    );
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.filter((name) => !isBuiltin(name!))).toEqual([]);
  });

  it(`has at most ${IDLE} MiB before it is asked, and ${LOADED} when it has made ${WALLETS} wallets and signed with each`, async () => {
    const given = { NODE_ENV: 'development', ROLE: 'signer', MASTER_KEY: generateMasterKey() };
    const link = await openChild({ process: {}, given }, { program: [...SIGNER_FLAGS, file] });
    try {
      const [pid] = signersOf(process.pid);
      await eventually(`it has ${IDLE} MiB at most`, () => residentMiB(pid!) <= IDLE);
      const request = { kind: 'message', message: Buffer.from('I agree.') };
      const chains = CHAINS.map((chain) => ({ chain, index: 0 }));
      const makeAndSign = async (at: number): Promise<void> => {
        const keys = { environmentId: 'e', userId: `u${at}`, keysId: 'k' };
        const { sealed, accounts } = (await link.call('wallet.createSeed', [keys, chains])) as {
          sealed: Buffer;
          accounts: { chain: string }[];
        };
        for (const account of accounts) {
          await link.call('wallet.sign', [{ ...keys, kind: 'hd-entropy', sealed }, account, request]);
        }
      };
      for (let at = 0; at < WALLETS; at += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, (_, one) => makeAndSign(at + one)));
      }
      expect(residentMiB(pid!)).toBeLessThanOrEqual(LOADED);
    } finally {
      link.destroy();
    }
  }, 120_000);
});
