import { fork, type ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const LOADER = pathToFileURL(join(ROOT, 'scripts/typescript-loader.js')).href;
const STOP_MS = 10_000;

interface Answer<R> {
  result?: R;
  error?: string;
}

/** A benchmark program in a separate process, with request-response messages. */
export class Program<Question extends object, R> {
  private constructor(
    private readonly child: ChildProcess,
    private readonly name: string,
  ) {}

  /** @param path below `bench/`, such as `load/load.ts` */
  static start<Question extends object, R>(path: string): Program<Question, R> {
    const child = fork(join(ROOT, 'bench', path), {
      execArgv: ['--import', LOADER],
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    return new Program<Question, R>(child, path);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** One question at a time. @throws the error that the program reports, or if it has ended */
  ask(question: Question): Promise<R> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error(`${this.name} ended before it answered.`));
      this.child.once('exit', ended);
      this.child.once('message', (answer: Answer<R>) => {
        this.child.off('exit', ended);
        if (answer.error !== undefined) reject(new Error(`${this.name}: ${answer.error}`));
        else resolve(answer.result as R);
      });
      this.child.send(question);
    });
  }

  stop(): Promise<void> {
    return endChild(this.child);
  }
}

/** SIGTERM, then SIGKILL if that takes too long. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(hard);
}
