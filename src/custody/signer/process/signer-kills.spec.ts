import { duplexPair } from 'node:stream';
import { describe, expect, it, jest } from '@jest/globals';
import type { EnvironmentId } from '../../../auth/index.js';
import { Envelope, generateMasterKey, parseKeyRing } from '../../../vault/index.js';
import { SplitSigner } from '../../split/split-signer.js';
import { ThresholdSigner } from '../../threshold/threshold-signer.js';
import { LocalWalletSigner } from '../local-wallet-signer.js';
import { SeedVault } from '../seed-vault.js';
import { openChild } from './child-signer.js';
import { KeptSigner } from './kept-signer.js';
import { serveSigner } from './serve-signer.js';
import { SignerLink } from './signer-link.js';

const owner = { environmentId: 'e' as EnvironmentId, userId: 'u', keysId: 'k' };
const SETTINGS = { process: {}, given: {} };
const UNAVAILABLE = { status: 503, code: 'signer_unavailable' };

/** A signer that answers what the test wants, and is killed there as `kill -9` would kill it. */
const program = (whenTold: string, whenAsked = ''): string[] => [
  '--input-type=module',
  '--eval',
  `import { Socket } from 'node:net';
   const channel = new Socket({ fd: 3, readable: true, writable: true });
   const frame = (value) => {
     const body = Buffer.from(JSON.stringify(value));
     const length = Buffer.alloc(4);
     length.writeUInt32BE(body.length);
     return Buffer.concat([length, body]);
   };
   const die = () => process.kill(process.pid, 'SIGKILL');
   channel.once('data', () => {
     channel.once('data', () => { ${whenAsked} });
     ${whenTold}
   });`,
];
const READY = "channel.write(frame('ready'));";

/** One in this process, which stays. */
function lasting(): SignerLink {
  const envelope = new Envelope(parseKeyRing(generateMasterKey()));
  const signers = {
    wallet: new LocalWalletSigner(new SeedVault(envelope)),
    threshold: new ThresholdSigner(envelope),
    split: new SplitSigner(envelope),
  };
  const [near, other] = duplexPair();
  serveSigner(other, signers, () => undefined);
  return new SignerLink(near);
}

/** First the program, then one that stays. */
function keptAfter(first: string[]): { kept: KeptSigner; complaints: string[] } {
  const complaints: string[] = [];
  let opened = 0;
  const open = (): Promise<SignerLink> =>
    opened++ === 0 ? openChild(SETTINGS, { program: first }) : Promise.resolve(lasting());
  return { kept: new KeptSigner(open, (line) => complaints.push(line)), complaints };
}

describe('a signer', () => {
  it.each([
    ['when it has read the question', 'die();'],
    ['when the length of its answer is written', 'channel.write(frame({ id: 1, result: {} }).subarray(0, 4), die);'],
    ['when half of its answer is written', 'channel.write(frame({ id: 1, result: {} }).subarray(0, 9), die);'],
    ['after it has answered another question', 'channel.write(frame({ id: 2, result: {} }), die);'],
  ])('that is killed %s leaves 503 and nothing else, and the next one is asked', async (_when, whenAsked) => {
    const { kept } = keptAfter(program(READY, whenAsked));
    await expect(kept.call('wallet.createSeed', [owner, []])).rejects.toMatchObject(UNAVAILABLE);
    expect(await kept.call('wallet.createSeed', [owner, []])).toMatchObject({ accounts: [] });
    expect(kept.restarts).toBe(1);
    await kept.close();
  });

  it.each([
    ['before it says a word', 'die();', 'The other side went away.'],
    [
      'in the middle of its first word',
      "channel.write(frame('ready').subarray(0, 6), die);",
      'The other side went away.',
    ],
    ['after it has said something else', "channel.write(frame('hello'), die);", 'It is no signer that was started.'],
  ])(
    'that is killed %s is not asked: what was to be asked waits for the next one',
    async (_when, whenTold, complaint) => {
      const { kept, complaints } = keptAfter(program(whenTold));
      expect(await kept.call('wallet.createSeed', [owner, []])).toMatchObject({ accounts: [] });
      expect(complaints).toEqual([`The signer did not start: ${complaint}`]);
      await kept.close();
    },
  );

  it('that runs on its own and is away for a second is waited for, however often it was not there', async () => {
    let tries = 0;
    const open = (): Promise<SignerLink> =>
      ++tries < 5 ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve(lasting());
    const kept = new KeptSigner(open, () => undefined);
    expect(await kept.call('wallet.createSeed', [owner, []])).toMatchObject({ accounts: [] });
    expect(tries).toBe(5);
    await kept.close();
  });

  it('that does not start for five seconds, tried again and again, is no longer waited for', async () => {
    let [starts, now] = [0, 0];
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const open = (): Promise<SignerLink> => {
      starts++;
      now += 2_500;
      return Promise.reject(new Error('Killed.'));
    };
    const kept = new KeptSigner(open, () => undefined);
    await expect(kept.call('wallet.createSeed', [owner, []])).rejects.toMatchObject(UNAVAILABLE);
    expect(starts).toBe(3);
    await expect(kept.call('wallet.createSeed', [owner, []])).rejects.toMatchObject(UNAVAILABLE);
    expect(starts).toBe(3);
    await kept.close();
    clock.mockRestore();
  });

  it('that is given up before it can be asked is not waited for', async () => {
    const stopping = new AbortController();
    const readsAndSaysNothing = program('');
    const opening = openChild(SETTINGS, { program: readsAndSaysNothing, signal: stopping.signal });
    const given = expect(opening).rejects.toThrow('It is not needed any more.');
    stopping.abort();
    await given;
  });

  it('is not started before it is asked, where nobody has it begin', async () => {
    let starts = 0;
    const open = (): Promise<SignerLink> => {
      starts++;
      return Promise.resolve(lasting());
    };
    const kept = new KeptSigner(open, () => undefined);
    expect([kept.isUp, starts]).toEqual([true, 0]);
    expect(await kept.call('wallet.createSeed', [owner, []])).toMatchObject({ accounts: [] });
    expect([kept.isUp, starts]).toEqual([true, 1]);
    await kept.close();
  });
});
