import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import { carryOut, explain } from '../../src/cli/command-line.js';
import type { Finished } from './service-process.js';

type Said = Pick<Finished, 'stdout' | 'stderr'>;

/** Separate for each command, since several may run concurrently. */
const said = new AsyncLocalStorage<Said>();

const heard = new WeakSet<Console>();

/** Each suite has its own console. */
function hear(terminal: Console): void {
  if (heard.has(terminal)) return;
  heard.add(terminal);
  for (const [method, stream] of [
    ['log', 'stdout'],
    ['error', 'stderr'],
  ] as const) {
    const write = terminal[method].bind(terminal);
    terminal[method] = (...parts: unknown[]): void => {
      const output = said.getStore();
      if (output) output[stream] += `${format(...parts)}\n`;
      else write(...parts);
    };
  }
}

/**
 * Runs an operator command with an application that is already running, and returns the program's output and exit code.
 * As a program it would spend seconds loading the service: a suite runs one command that way (`run`), and the others
 * here.
 */
export function command(app: INestApplicationContext, ...words: string[]): Promise<Finished> {
  hear(globalThis.console);
  const output: Said = { stdout: '', stderr: '' };
  return said.run(output, async () => {
    try {
      await carryOut(words, (work) => work(app));
      return { code: 0, ...output };
    } catch (error) {
      output.stderr += `${await explain(error)}\n`;
      return { code: 1, ...output };
    }
  });
}
