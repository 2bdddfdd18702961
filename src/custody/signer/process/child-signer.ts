import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { SignerSettings } from '../../../config/index.js';
import { Frames, READY } from './frames.js';
import { SignerLink } from './signer-link.js';

/** The program, compiled beside this module; in a single-file bundle, so is this path (`scripts/bundle.js`). */
const PROGRAM = fileURLToPath(new URL('../main.js', import.meta.url));
/** The child's end of the socket pair, as a file descriptor. 0 to 2 are the standard streams. */
export const CHANNEL = 3;
/** Milliseconds after which a child that is not ready is abandoned. */
const START_LIMIT_MS = 60_000;

/**
 * No file writes, child processes, native add-ons, or debugger attached by signal. Small spaces for short-lived
 * objects, since little is allocated at once. Frequently called code is compiled early (decision 0220).
 */
export const SIGNER_FLAGS: readonly string[] = [
  '--permission',
  '--allow-fs-read=*',
  '--disable-sigusr1',
  '--max-semi-space-size=2',
  '--invocation-count-for-turbofan=300',
];
/** The core dump size is a process limit that Node cannot set: the shell sets it, then execs Node. */
const WITHOUT_CORE_DUMPS = 'ulimit -c 0; exec "$0" "$@"';

/**
 * Starts a signer as a child process, which ends with this one. They communicate over an unnamed Unix socket pair,
 * which nobody else can open. The settings are passed in the first frame, so that neither the environment nor the
 * command line of the child holds a key.
 *
 * @param program an alternative program, for tests
 * @param signal aborts the start when the signer is no longer needed
 */
export async function openChild(
  settings: SignerSettings,
  { program = [...SIGNER_FLAGS, PROGRAM], signal }: { program?: readonly string[]; signal?: AbortSignal } = {},
): Promise<SignerLink> {
  const command = [process.execPath, ...program];
  const [file = '', ...words] =
    process.platform === 'win32' ? command : ['/bin/sh', '-c', WITHOUT_CORE_DUMPS, ...command];
  // Its output goes to this process's stderr: stdout may be read by a program.
  const child = spawn(file, words, { env: settings.process, stdio: ['ignore', 2, 2, 'pipe'] });
  // Listened for at once: without file descriptors no child or channel exists, which must not crash this process.
  const spawned = once(child, 'spawn');
  const channel = child.stdio?.[CHANNEL] as Duplex | undefined;
  if (!channel)
    throw await spawned.then(
      () => new Error('The signer has no channel.'),
      (error: Error) => error,
    );
  child.on('error', () => channel.destroy());
  // Each ends with the other, whichever ends first.
  child.on('exit', () => channel.destroy());
  channel.on('close', () => child.kill('SIGKILL'));
  channel.on('error', () => channel.destroy());
  const giveUp = (): void => void channel.destroy();
  const timer = setTimeout(giveUp, START_LIMIT_MS);
  signal?.addEventListener('abort', giveUp);
  try {
    await spawned;
    if (channel.destroyed) throw new Error('It is not needed any more.');
    const frames = new Frames(channel);
    frames.send(settings.given);
    if ((await frames.next()) !== READY) throw new Error('It is no signer that was started.');
    frames.stop();
    return new SignerLink(channel);
  } catch (error) {
    channel.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
