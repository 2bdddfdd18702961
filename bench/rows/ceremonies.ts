import {
  createWallet,
  httpRooms,
  httpSignatures,
  KeyGeneration,
  SharedKey,
  signingShares,
  verifyOutcome,
  type OpenedRoom,
  type ShareSet,
} from '../../clients/custody/src/index.js';
import { ed25519Verify } from '../../src/custody/derivation/ed25519-key.js';
import { dealShares } from '../../src/custody/threshold/dealing.js';
import { commitNonces, completeSignature } from '../../src/custody/threshold/frost.js';
import { monotonicMs } from '../monotonic.js';
import { median, percentile } from '../report/statistics.js';
import type { Row } from '../report/table.js';
import type { Ground } from './operations.js';
import { ask } from './same-shape.js';

interface Scene {
  readonly origin: string;
  readonly ground: Ground;
  readonly course: { readonly rounds: number; readonly roundMs: number };
}

const AT_ONCE = 50;
const ROUND_TRIPS = 2;
const SCHEME = 'TWO_OF_TWO';
const TEXT = Buffer.from('I agree.');
/** Run before counting, since code is slow on its first run on both sides. */
const WARM_UPS = 10;

/**
 * FROST signatures, from `signMessage` to the signature made on the device, in sequence and concurrently. Beside each
 * one, both sides' computation is done without a service, and an empty request is sent: a slowdown of the machine
 * affects all three.
 */
export async function measureCeremonies(scene: Scene): Promise<Row[]> {
  const [first, ...others] = await Promise.all(
    scene.ground.sessionTokens.slice(0, AT_ONCE).map((token) => makeWallet(scene, token)),
  );
  if (!first || others.length + 1 < AT_ONCE) throw new Error(`There are fewer than ${AT_ONCE} sessions.`);
  return [await oneByOne(scene, first), await allAtOnce(scene, [first, ...others])];
}

async function oneByOne(scene: Scene, key: SharedKey): Promise<Row> {
  const floor = bareSignature();
  const trip = (): Promise<unknown> =>
    ask(
      scene.origin,
      { method: 'GET', path: `/api/v0/sdk/${scene.ground.tenant.environmentId}/healthcheck`, headers: {} },
      200,
    );
  const sign = (): Promise<Uint8Array> => key.sign('message', TEXT);
  for (let at = 0; at < WARM_UPS; at += 1) {
    floor();
    await trip();
    await sign();
  }
  const times = { floor: [] as number[], trip: [] as number[], signature: [] as number[] };
  const { rounds, roundMs } = scene.course;
  const end = monotonicMs() + rounds * roundMs;
  while (monotonicMs() < end) {
    times.floor.push(await timed(floor));
    times.trip.push(await timed(trip));
    times.signature.push(await timed(sign));
  }
  const [bare, way, p50] = [median(times.floor), median(times.trip), median(times.signature)];
  const figure = Math.max(0, p50 - ROUND_TRIPS * way) / bare;
  const note = `${times.signature.length} signatures; the bare arithmetic of both sides ${bare.toFixed(2)} ms, a round trip ${way.toFixed(2)} ms`;
  return { row: 'FROST signature to its arithmetic', p50, p99: percentile(times.signature, 0.99), figure, note };
}

async function allAtOnce(scene: Scene, keys: readonly SharedKey[]): Promise<Row> {
  const ratios: number[] = [];
  const times: number[] = [];
  const [key] = keys as [SharedKey];
  for (let round = 0; round < scene.course.rounds; round += 1) {
    const alone: number[] = [];
    for (let at = 0; at < WARM_UPS; at += 1) alone.push(await timed(() => key.sign('message', TEXT)));
    const from = monotonicMs();
    times.push(...(await Promise.all(keys.map((one) => timed(() => one.sign('message', TEXT))))));
    ratios.push((monotonicMs() - from) / (keys.length * median(alone)));
  }
  const p50 = median(times);
  const note = `${keys.length} users at once, ${scene.course.rounds} times`;
  return { row: 'FROST, 50 signatures at once', p50, p99: percentile(times, 0.99), figure: median(ratios), note };
}

async function timed(work: () => unknown): Promise<number> {
  const from = monotonicMs();
  await work();
  return monotonicMs() - from;
}

/** Both sides' computation for a signature, in this process and nothing else. */
function bareSignature(): () => void {
  const { public: publicShares, clients, own } = dealShares(SCHEME);
  const device = { publicShares, secrets: clients };
  return () => {
    const { nonces, commitments } = commitNonces('ed25519', own);
    const sent = signingShares(device, commitments, TEXT);
    const side = { shares: publicShares, secrets: own, nonces, commitments };
    const { shares } = completeSignature(side, sent, TEXT);
    verifyOutcome(device, commitments, TEXT, sent, shares);
  };
}

async function makeWallet({ origin, ground }: Scene, token: string): Promise<SharedKey> {
  const { environmentId } = ground.tenant;
  const place = { baseUrl: origin, environmentId, token };
  const generation = await KeyGeneration.begin(SCHEME, 'SVM');
  const request = { chain: 'SVM', clientKeygenIds: generation.keygenIds, thresholdSignatureScheme: SCHEME };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = `/api/v0/sdk/${environmentId}/waas/create`;
  const opened = (await ask(
    origin,
    { method: 'POST', path, headers, body: JSON.stringify(request) },
    200,
  )) as OpenedRoom;
  const rooms = httpRooms(place);
  const shares: ShareSet = await createWallet(rooms, environmentId, generation, opened, () => Promise.resolve());
  const key = new SharedKey(shares, 'SVM', rooms, httpSignatures(place));
  if (!ed25519Verify(TEXT, Buffer.from(key.publicKey), Buffer.from(await key.sign('message', TEXT))))
    throw new Error('A shared key has signed something else.');
  return key;
}
