import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { run } from '../../../test/support/service-process.js';

const page = readFileSync(join(import.meta.dirname, '../../../docs/threshold.md'), 'utf8').replaceAll(/\s+/g, ' ');
/** In thousands of bytes, as the documentation says it. */
const stated = (pattern: RegExp): number => 1_000 * Number(pattern.exec(page)?.[1]);

/** In a process of its own, since the bundler brings native code. */
const PROGRAM = `
  import { gzipSync } from 'node:zlib';
  import { bundleCustody } from './scripts/custody-bundle.js';
  const compressed = async (...of) => gzipSync(await bundleCustody(...of), { level: 9 }).length;
  console.log(JSON.stringify({
    all: await compressed(),
    signing: await compressed(['SharedKey', 'httpRooms', 'httpSignatures']),
    solana: await compressed(['solanaSigner'], 'solana.ts'),
    sui: await compressed(['suiSigner'], 'sui.ts'),
    ton: await compressed(['tonSigner'], 'ton.ts'),
  }));
`;

describe('what an application loads of clients/custody, compressed', () => {
  let bytes: Record<'all' | 'signing' | 'solana' | 'sui' | 'ton', number>;

  beforeAll(async () => {
    const { code, stdout, stderr } = await run(['node', '--input-type=module', '-e', PROGRAM], {});
    expect([code, stderr]).toEqual([0, '']);
    bytes = JSON.parse(stdout) as typeof bytes;
  });

  it('is less than the documentation says, all of it and what a signature takes', () => {
    expect(bytes.all).toBeLessThan(stated(/less than (\d+) kB compressed/));
    expect(bytes.signing).toBeLessThan(stated(/only signs loads less than (\d+) kB/));
    expect(bytes.signing).toBeLessThan(0.8 * bytes.all);
  });

  it('is nothing of the packages whose signers it makes', () => {
    expect(bytes.solana).toBeLessThan(5_000);
    expect(bytes.sui).toBeLessThan(5_000);
    expect(bytes.ton).toBeLessThan(5_000);
  });
});
