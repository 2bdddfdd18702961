import { UsageError } from './arguments.js';
import { COMMANDS, usage, usageOf } from './commands.js';

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

async function main(words: string[]): Promise<void> {
  const line = words.join(' ');
  if (line === 'help' || HELP.has(line)) return console.log(usage());
  const command = COMMANDS.find((known) => line === known.words || line.startsWith(`${known.words} `));
  if (!command) throw new UsageError(usage());
  const rest = words.slice(command.words.split(' ').length);
  if (rest.some((word) => HELP.has(word))) return console.log(usageOf(command));
  if (command.alone) return command.alone(rest);
  const { runWithService } = await import('./with-service.js');
  await runWithService(async (app) => command.run?.(app, rest));
}

/** What was refused is said as a client would be told; everything else is a failure. */
async function explain(error: unknown): Promise<string> {
  if (error instanceof UsageError) return error.message;
  const { explainFailure } = await import('./with-service.js');
  return explainFailure(error);
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  async (error: unknown) => {
    console.error(await explain(error));
    process.exit(1);
  },
);
