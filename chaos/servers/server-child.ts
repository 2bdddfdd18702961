import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const READY_MS = 15_000;
const POLL_MS = 10;

/** Starts a program with its output appended to a file. Every program of a run is started here. */
export function spawnLogged(
  command: readonly string[],
  { log, cwd, env = process.env }: { log: string; cwd: string; env?: NodeJS.ProcessEnv },
): ChildProcess {
  const [program = '', ...words] = command;
  const fd = openSync(log, 'a');
  try {
    return spawn(program, words, { cwd, env, stdio: ['ignore', fd, fd] });
  } finally {
    closeSync(fd);
  }
}

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** @throws Error with the log if the program exits, or does not listen in time; it is then ended */
export async function untilListening(child: ChildProcess, port: number, log: string): Promise<void> {
  for (let waited = 0; waited < READY_MS && !hasEnded(child); waited += POLL_MS) {
    if (await listens(port)) return;
    await delay(POLL_MS);
  }
  child.kill('SIGKILL');
  throw new Error(`Nothing listens on port ${port}:\n${readFileSync(log, 'utf8').slice(-2000)}`);
}

export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => finish(true)).once('error', () => finish(false));
  });
}

export async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  await ended;
}
