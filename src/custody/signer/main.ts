import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config, ConfigError } from '../../config/index.js';
import { Envelope, KeyRingError, openKeyVault, SecretBytes } from '../../vault/index.js';
import { assertRandomSource } from '../derivation/entropy-self-test.js';
import { SplitSigner } from '../split/split-signer.js';
import { ThresholdSigner } from '../threshold/threshold-signer.js';
import type { SealedRows } from './rows/sealed-rows.js';
import { LocalWalletSigner } from './local-wallet-signer.js';
import { CHANNEL } from './process/child-signer.js';
import { Frames, LEAVING, READY, writeFrame } from './process/frames.js';
import { serveSigner } from './process/serve-signer.js';
import type { Signers } from './process/signer-operations.js';
import { listenOn } from './process/signer-socket.js';
import { encode } from './process/wire.js';
import { SeedVault } from './seed-vault.js';
import { warmUp } from './warm-up.js';

/** As long as an instance waits for an answer. */
const LEAVE_MS = 15_000;

const say = (line: string): void => console.error(`Gatehouse signer: ${line}`);

/** Builds the signers from the settings alone: no queue, no server. */
async function makeSigners(config: Config): Promise<Signers> {
  const ring = config.get('MASTER_KEY');
  if (ring === null && config.keepsMasterKey) {
    throw new ConfigError('MASTER_KEY is missing: a signer opens what its instances have sealed.');
  }
  assertRandomSource((length) => SecretBytes.random(length).expose());
  const envelope = new Envelope(await openKeyVault(config, ring ?? ''));
  return {
    wallet: new LocalWalletSigner(new SeedVault(envelope)),
    threshold: new ThresholdSigner(envelope),
    split: new SplitSigner(envelope),
  };
}

/** Only if a database role is configured: nothing of this is loaded otherwise. */
async function openRows(config: Config): Promise<SealedRows | null> {
  const url = config.get('SIGNER_DATABASE_URL');
  if (url === null) return null;
  const { SealedRowsRepository } = await import('./rows/sealed-rows.repository.js');
  const rows = new SealedRowsRepository(config, url);
  // A database that starts later is no reason to exit: until then, key operations answer 503.
  const problem = await rows.findProblem();
  say(problem === null ? 'reads sealed keys itself.' : problem);
  return rows;
}

/** As a child process: the first frame holds the settings, and the process ends when the channel closes. */
async function serveParent(): Promise<void> {
  // The same signal often stops the parent, which needs its signer until it has finished.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
  channel.on('close', () => process.exit(0));
  const frames = new Frames(channel);
  const config = Config.load((await frames.next()) as Record<string, string>);
  const signers = await makeSigners(config);
  frames.stop();
  serveSigner(channel, signers, say);
  frames.send(READY);
  // Callers in the meantime wait no longer than they would without it.
  await warmUp();
}

/** As a separate service: any process that can open the socket and knows the secret may call it. */
async function serveInstances(config: Config): Promise<void> {
  const secret = config.get('SIGNER_SECRET');
  if (secret === null)
    throw new ConfigError('SIGNER_SECRET is missing: a signer of its own shares it with its instances.');
  const signers = await makeSigners(config);
  const rows = await openRows(config);
  const path = config.signerSocket;
  const served = new Set<Socket>();
  let isLeaving = false;
  const serve = (socket: Socket): void => {
    served.add(socket.once('close', () => served.delete(socket)));
    serveSigner(socket, signers, say, rows);
    if (isLeaving) writeFrame(socket, encode(LEAVING));
  };
  const server = await listenOn({ path, secret }, serve, say);
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  say(`ready on ${path}.`);
  await warmUp();
  await stopped;
  isLeaving = true;
  // Frees the path, so that the next signer can start while this one answers what is under way.
  const gone = once(server, 'close');
  server.close();
  for (const socket of served) writeFrame(socket, encode(LEAVING));
  await Promise.race([gone, sleep(LEAVE_MS)]);
  process.exit(0);
}

async function main(): Promise<void> {
  const config = Config.load();
  await (config.get('ROLE') === 'signer' ? serveInstances(config) : serveParent());
}

main().catch((error: unknown) => {
  const isForeseen = error instanceof ConfigError || error instanceof KeyRingError;
  say(`did not start: ${isForeseen ? error.message : ((error as Error).stack ?? String(error))}`);
  process.exit(1);
});
