import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import { carryOut, explain } from '../../src/cli/command-line.js';
import type { Finished } from './service-process.js';

type Said = Pick<Finished, 'stdout' | 'stderr'>;

/** Of each command apart, since several may be under way at once. */
const said = new AsyncLocalStorage<Said>();

const heard = new WeakSet<Console>();

/** Each suite has a console of its own. */
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
 * Carries out a command of the operator with an application that runs already, and answers what the program would say
 * and end with. Loading the service takes a program seconds, and says nothing about what the command does: a suite runs
 * one command as a program (`run`), and the others here.
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
