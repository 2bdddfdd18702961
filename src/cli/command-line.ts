import type { INestApplicationContext } from '@nestjs/common';
import { UsageError } from './arguments.js';
import { COMMANDS, usage, usageOf } from './commands.js';
import { say } from './terminal.js';

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/** Runs `work` with the service. Commands that do not need the service never call it. */
export type WithService = (work: (app: INestApplicationContext) => Promise<void>) => Promise<void>;

/** Runs the command named by `words`. @throws UsageError for an unknown one */
export async function carryOut(words: string[], withService: WithService): Promise<void> {
  const line = words.join(' ');
  if (line === 'help' || HELP.has(line)) return say(usage());
  const command = COMMANDS.find((known) => line === known.words || line.startsWith(`${known.words} `));
  if (!command) return explainGroup(words);
  const rest = words.slice(command.words.split(' ').length);
  if (rest.some((word) => HELP.has(word))) return say(usageOf(command));
  if (command.alone) return command.alone(rest);
  await withService(async (app) => command.run?.(app, rest));
}

/** Lists the commands that begin with the first word, as for `keys --help`. @throws UsageError unless that was asked for */
function explainGroup(words: string[]): void {
  const group = COMMANDS.filter((known) => known.words.startsWith(`${words[0]} `));
  const known = usage(group.length > 0 ? group : COMMANDS);
  if (words.length === 0) throw new UsageError(known);
  if (group.length > 0 && words.length === 2 && HELP.has(words[1]!)) return say(known);
  throw new UsageError(`There is no command "${words.join(' ')}".\n\n${known}`);
}

/** The message for the terminal: a refusal reads as it would to an API client, anything else as a failure. */
export async function explain(error: unknown): Promise<string> {
  if (error instanceof UsageError) return error.message;
  const { explainFailure } = await import('./with-service.js');
  return explainFailure(error);
}
