import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { SignerSettings } from '../../../config/index.js';
import { Frames, READY } from './frames.js';
import { SignerLink } from './signer-link.js';

/** The program, compiled beside this module; where the service is one file, so is this (`scripts/bundle.js`). */
const PROGRAM = fileURLToPath(new URL('../main.js', import.meta.url));
/** The descriptor of the child's end of the pair of sockets. 0 to 2 are the usual ones. */
export const CHANNEL = 3;
/** A child that cannot be asked by then is given up, in milliseconds. */
const START_LIMIT_MS = 60_000;

/**
 * No file is written, no program started, no native code loaded and no debugger let in by a signal. Small spaces for
 * short-lived objects: little is made at once. What it calls often is compiled early (decision 0220).
 */
export const SIGNER_FLAGS: readonly string[] = [
  '--permission',
  '--allow-fs-read=*',
  '--disable-sigusr1',
  '--max-semi-space-size=2',
  '--invocation-count-for-turbofan=300',
];
/** The size of core dumps is a limit of the process, which Node cannot set: the shell does, and becomes Node. */
const WITHOUT_CORE_DUMPS = 'ulimit -c 0; exec "$0" "$@"';

/**
 * Starts a signer as a child, which ends with this process. They speak over a pair of connected unix sockets without a
 * name: nobody else can open them. The settings are handed over in the first frame, so that neither the environment nor
 * the command line of the child holds a key.
 *
 * @param program another one, for tests
 * @param signal that it is not needed any more, before it could be asked
 */
export async function openChild(
  settings: SignerSettings,
  { program = [...SIGNER_FLAGS, PROGRAM], signal }: { program?: readonly string[]; signal?: AbortSignal } = {},
): Promise<SignerLink> {
  const command = [process.execPath, ...program];
  const [file = '', ...words] =
    process.platform === 'win32' ? command : ['/bin/sh', '-c', WITHOUT_CORE_DUMPS, ...command];
  // What it says goes to the errors of this process: its output may be read by a program.
  const child = spawn(file, words, { env: settings.process, stdio: ['ignore', 2, 2, 'pipe'] });
  // Heard at once: without file descriptors there is neither a child nor a channel, and that must not end this process.
  const spawned = once(child, 'spawn');
  const channel = child.stdio?.[CHANNEL] as Duplex | undefined;
  if (!channel)
    throw await spawned.then(
      () => new Error('The signer has no channel.'),
      (error: Error) => error,
    );
  child.on('error', () => channel.destroy());
  // One ends with the other, whichever comes first.
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
