import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { duplexPair } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { Envelope, generateMasterKey, parseKeyRing, SealedBlobError } from '../../../vault/index.js';
import type { EnvironmentId } from '../../../auth/index.js';
import { UnreadableRequest } from '../../signing/byte-reader.js';
import { SplitSigner } from '../../split/split-signer.js';
import { ThresholdSigner } from '../../threshold/threshold-signer.js';
import { LocalWalletSigner } from '../local-wallet-signer.js';
import { SeedVault } from '../seed-vault.js';
import type { WalletSigner } from '../wallet-signer.js';
import { LEAVING } from './frames.js';
import { shakeHands } from './handshake.js';
import { KeptSigner } from './kept-signer.js';
import { serveSigner } from './serve-signer.js';
import { SignerFault } from './signer-faults.js';
import { SignerLink } from './signer-link.js';
import { remotePort, UnknownOperation, operate, type Signers } from './signer-operations.js';
import { listenOn, openSocket } from './signer-socket.js';
import { encode, FrameError, FrameReader } from './wire.js';

const CANARY = 'canary of a key';
const owner = { environmentId: 'e' as EnvironmentId, userId: 'u', keysId: 'k' };

const unframed = (frame: Buffer): unknown => new FrameReader().read(frame)[0];

function localSigners(): Signers {
  const envelope = new Envelope(parseKeyRing(generateMasterKey()));
  return {
    wallet: new LocalWalletSigner(new SeedVault(envelope)),
    threshold: new ThresholdSigner(envelope),
    split: new SplitSigner(envelope),
  };
}

/** A signer at the other end of a stream. */
function far(signers: Signers, limits?: { callMs: number; pingMs: number }) {
  const [near, other] = duplexPair();
  const complaints: string[] = [];
  serveSigner(other, signers, (line) => complaints.push(line));
  return { link: new SignerLink(near, limits), near, other, complaints };
}

const keptOf = (link: SignerLink): KeptSigner =>
  new KeptSigner(
    () => Promise.resolve(link),
    () => undefined,
  );

describe('what crosses between two processes', () => {
  it('is as it was, bytes included, however the stream was cut', () => {
    const value = { a: [1, 'ä', null, { b: Buffer.from([0, 255]) }], $: 'text', $$x: { $: 'AAAA' }, __proto: 1 };
    const frames = Buffer.concat([encode(value), encode([Uint8Array.of(7)])]);
    const reader = new FrameReader();
    const read = [...frames].flatMap((byte) => reader.read(Buffer.from([byte])));
    expect(read).toEqual([value, [Buffer.from([7])]]);
  });

  it('does not let a text of a client pass for bytes', () => {
    const typedData = JSON.parse('{"$":"AAAA","$$":"AAAA","__proto__":{"x":1}}') as object;
    const read = unframed(encode(typedData)) as object;
    expect(JSON.stringify(read)).toBe(JSON.stringify(typedData));
  });

  it('is refused when it is longer than any request, before it is read', () => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(0x7fffffff);
    expect(() => new FrameReader().read(length)).toThrow(FrameError);
    expect(() => new FrameReader().read(Buffer.from([0, 0, 0, 1, 0x7b]))).toThrow(FrameError);
  });
});

describe('a signer elsewhere', () => {
  const servers: Server[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'signer-'));
  afterEach(() => {
    jest.useRealTimers();
    for (const server of servers.splice(0)) server.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('makes the keys, accounts and signatures that one in this process reads', async () => {
    const local = localSigners();
    const { link } = far(local);
    const kept = keptOf(link);
    const remote = remotePort('wallet', kept) as WalletSigner;
    const places = (['EVM', 'SOL', 'SUI', 'BTC'] as const).map((chain) => ({ chain, index: 0 }));
    const { sealed, accounts } = await remote.createSeed(owner, places);
    const keys = { ...owner, kind: 'hd-entropy', sealed } as const;
    expect(await local.wallet.derive(keys, places)).toEqual(accounts);
    for (const account of accounts) {
      const request = { kind: 'message', message: Buffer.from('hello') } as const;
      expect(await remote.sign(keys, account, request)).toEqual(await local.wallet.sign(keys, account, request));
    }
    await kept.close();
  });

  it('refuses with the errors that one in this process has', async () => {
    const { link } = far(localSigners());
    const kept = keptOf(link);
    const remote = remotePort('wallet', kept) as WalletSigner;
    const { sealed, accounts } = await remote.createSeed(owner, [{ chain: 'EVM', index: 0 }]);
    const keys = { ...owner, kind: 'hd-entropy', sealed } as const;
    await expect(remote.derive({ ...keys, userId: 'other' }, [])).rejects.toBeInstanceOf(SealedBlobError);
    const wrong = { kind: 'psbt', psbt: Buffer.from('x') } as const;
    await expect(remote.sign(keys, accounts[0]!, wrong)).rejects.toBeInstanceOf(UnreadableRequest);
    await kept.close();
  });

  it('says nothing of a failure that nobody foresaw, neither to its caller nor to its log', async () => {
    const signers = localSigners();
    signers.wallet.derive = () => Promise.reject(new Error(CANARY));
    const { link, complaints } = far(signers);
    const failure = await link.call('wallet.derive', []).catch((error: unknown) => error as Error);
    expect(failure).toBeInstanceOf(SignerFault);
    expect(complaints).toHaveLength(1);
    expect(`${(failure as Error).message}${complaints[0]}`).not.toContain(CANARY);
  });

  it('that cannot say what came out fails that question alone', async () => {
    const signers = localSigners();
    signers.wallet.derive = () => Promise.resolve([10n] as never);
    const { link, complaints } = far(signers);
    await expect(link.call('wallet.derive', [])).rejects.toBeInstanceOf(SignerFault);
    expect(complaints).toHaveLength(1);
    expect(await link.call('wallet.createSeed', [owner, []])).toMatchObject({ accounts: [] });
    link.destroy();
  });

  it.each([
    'wallet.vault',
    'wallet.constructor',
    'threshold.open',
    'threshold.seal',
    'split.open',
    '__proto__.sign',
    'sign',
    '',
  ])('does not do %p, which is no operation of its ports', async (operation) => {
    await expect(operate(localSigners(), operation, [])).rejects.toBeInstanceOf(UnknownOperation);
  });

  it('cuts off whoever sends what is no request', async () => {
    const { near, other } = far(localSigners());
    near.write(encode({ id: 'x', operation: 1 }));
    await new Promise((resolve) => other.on('close', resolve));
  });

  it('that goes away is 503 for what was asked, and is asked again once another one is there', async () => {
    const signers = localSigners();
    const hung = localSigners();
    hung.wallet.derive = () => new Promise(() => undefined);
    const ends = [far(hung), far(signers)];
    const links = ends.map(({ link }) => link);
    const kept = new KeptSigner(
      async () => links.shift() ?? far(signers).link,
      () => undefined,
    );
    const asked = kept.call('wallet.derive', []);
    const refused = expect(asked).rejects.toMatchObject({ status: 503, code: 'signer_unavailable' });
    ends[0]!.near.destroy();
    await refused;
    expect(await kept.call('wallet.createSeed', [owner, []])).toMatchObject({ accounts: [] });
    expect(kept.restarts).toBe(1);
    await kept.close();
    await expect(kept.call('wallet.derive', [])).rejects.toMatchObject({ code: 'signer_unavailable' });
  });

  it('that leaves answers what it was asked, and another one is asked from then on', async () => {
    const leaving = localSigners();
    const late = Promise.withResolvers<never>();
    leaving.wallet.derive = () => late.promise;
    const ends = [far(leaving), far(localSigners())];
    const links = ends.map(({ link }) => link);
    const kept = new KeptSigner(
      async () => links.shift()!,
      () => undefined,
    );
    const asked = kept.call('wallet.derive', []);
    await kept.assertReachable();
    ends[0]!.other.write(encode(LEAVING));
    await ends[0]!.link.closed;
    expect(await kept.call('wallet.createSeed', [owner, []])).toMatchObject({ accounts: [] });
    expect([kept.restarts, ends[0]!.near.destroyed]).toEqual([1, false]);
    late.resolve(['an account'] as never);
    expect(await asked).toEqual(['an account']);
    expect(ends[0]!.near.destroyed).toBe(true);
    await kept.close();
  });

  it('is waited for longer when it starts for the first time than when it starts again', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
    const opening = [Promise.withResolvers<SignerLink>(), Promise.withResolvers<SignerLink>()];
    const waiting = [...opening];
    const kept = new KeptSigner(
      () => waiting.shift()!.promise,
      () => undefined,
    );
    const early = kept.call('wallet.createSeed', [owner, []]);
    expect(kept.isUp).toBe(true);
    await jest.advanceTimersByTimeAsync(19_000);
    const { link, near } = far(localSigners());
    opening[0]!.resolve(link);
    expect(await early).toMatchObject({ accounts: [] });
    near.destroy();
    await link.closed;
    const late = expect(kept.call('wallet.createSeed', [owner, []])).rejects.toMatchObject({ status: 503 });
    await jest.advanceTimersByTimeAsync(6_000);
    await late;
    expect(kept.isUp).toBe(false);
    const closed = kept.close();
    opening[1]!.resolve(far(localSigners()).link);
    await closed;
  });

  it('is reachable when it answers, or was not needed yet, and not while it hangs or is away', async () => {
    const { link, near } = far(localSigners());
    const kept = keptOf(link);
    await kept.assertReachable();
    expect(await kept.call('wallet.createSeed', [owner, []])).toMatchObject({ accounts: [] });
    await kept.assertReachable();
    near.destroy();
    await expect(kept.assertReachable()).rejects.toMatchObject({ code: 'signer_unavailable' });
    await kept.close();
    const [silent] = duplexPair();
    const hanging = keptOf(new SignerLink(silent, { callMs: 20, pingMs: 20 }));
    hanging.begin();
    await sleep(0);
    await expect(hanging.assertReachable()).rejects.toMatchObject({ code: 'signer_unavailable' });
    await hanging.close();
  });

  it('that answers nothing at all is given up, and one that is slow is not', async () => {
    const slow = localSigners();
    slow.wallet.derive = () => new Promise(() => undefined);
    const limits = { callMs: 20, pingMs: 2_000 };
    const alive = far(slow, limits);
    await expect(alive.link.call('wallet.derive', [])).rejects.toMatchObject({ code: 'signer_unavailable' });
    expect(await alive.link.call('wallet.createSeed', [owner, []]).catch(() => 'late')).toBeDefined();
    expect(alive.near.destroyed).toBe(false);
    const [near] = duplexPair();
    const dead = new SignerLink(near, { callMs: 20, pingMs: 20 });
    await expect(dead.call('wallet.derive', [])).rejects.toMatchObject({ code: 'signer_unavailable' });
    await dead.closed;
  });

  it('that answers others is not given up for being late with the answer to whether it is there', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const [near, other] = duplexPair();
    const link = new SignerLink(near, { callMs: 1_000, pingMs: 5_000 });
    const lateCall = async (): Promise<void> => {
      const late = expect(link.call('wallet.derive', [])).rejects.toMatchObject({ code: 'signer_unavailable' });
      await jest.advanceTimersByTimeAsync(1_000);
      await late;
    };
    await lateCall();
    await jest.advanceTimersByTimeAsync(2_500);
    other.write(encode({ id: 1_000, result: 'of a question that somebody no longer waits for' }).subarray(0, 9));
    await new Promise((resolve) => setImmediate(resolve));
    await jest.advanceTimersByTimeAsync(2_500);
    expect(link.isOpen).toBe(true);
    await lateCall();
    await jest.advanceTimersByTimeAsync(5_000);
    await link.closed;
  });

  it('is no longer waited for once nobody needs it', async () => {
    const opening = Promise.withResolvers<SignerLink>();
    const kept = new KeptSigner(
      () => opening.promise,
      () => undefined,
    );
    const waiting = expect(kept.call('wallet.derive', [])).rejects.toMatchObject({ code: 'signer_unavailable' });
    const closed = kept.close();
    await waiting;
    opening.reject(new Error('It is not needed any more.'));
    await closed;
  });

  it('that does not shake hands is left at once when nobody needs it', async () => {
    const path = join(folder, 'silent.sock');
    const came = Promise.withResolvers<void>();
    const silent = createServer((socket) => {
      socket.on('error', () => undefined);
      came.resolve();
    });
    servers.push(silent);
    await new Promise<void>((resolve) => silent.listen(path, resolve));
    const stopping = new AbortController();
    const opening = openSocket({ path, secret: 's'.repeat(32) }, stopping.signal);
    const given = expect(opening).rejects.toThrow('It is not needed any more.');
    await came.promise;
    stopping.abort();
    await given;
    await expect(openSocket({ path, secret: 's'.repeat(32) }, stopping.signal)).rejects.toThrow('not needed');
  });

  it('takes the place of no file, and of no signer that is too busy to be greeted', async () => {
    const secret = 's'.repeat(32);
    const listen = (path: string) =>
      listenOn(
        { path, secret },
        () => undefined,
        () => undefined,
      );
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'kept');
    await expect(listen(file)).rejects.toThrow(/SIGNER_SOCKET .* no socket/);
    expect(readFileSync(file, 'utf8')).toBe('kept');

    const path = join(folder, 'busy.sock');
    const busy = createServer((socket) => socket.on('error', () => undefined));
    servers.push(busy);
    await new Promise<void>((resolve) => busy.listen({ path, backlog: 1 }, resolve));
    // All in one turn, in which nobody is let in.
    const callers = Array.from({ length: 10 }, () => connect(path).on('error', () => undefined));
    await expect(listen(path)).rejects.toThrow(/Another signer/);
    for (const caller of callers) caller.destroy();
  });

  it('listens where its owner alone may come in, and answers those who know the secret', async () => {
    const address = { path: join(folder, 'own', 'signer.sock'), secret: 's'.repeat(32) };
    const refused: string[] = [];
    const signers = localSigners();
    const serve = (socket: Parameters<typeof serveSigner>[0]) => serveSigner(socket, signers, () => undefined);
    servers.push(await listenOn(address, serve, (line) => refused.push(line)));
    expect(statSync(address.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'own')).mode & 0o777).toBe(0o700);
    const link = await openSocket(address);
    expect(await link.call('wallet.createSeed', [owner, []])).toMatchObject({ accounts: [] });
    await expect(openSocket({ ...address, secret: 't'.repeat(32) })).rejects.toThrow(FrameError);
    for (let look = 0; look < 1_000 && refused.length === 0; look++) await sleep(5);
    expect(refused).toHaveLength(1);
    await expect(listenOn(address, serve, () => undefined)).rejects.toThrow(/Another signer/);
    link.destroy();
  });

  it('knows nobody who says back what it says itself', async () => {
    const [near, mirror] = duplexPair();
    mirror.pipe(mirror);
    await expect(shakeHands(near, 's'.repeat(32), 'signer')).rejects.toThrow(/does not know SIGNER_SECRET/);
    expect(near.destroyed).toBe(true);
  });
});
