import { createApp, explainStartFailure, hasLocalDatabase, prepare } from '../bootstrap/index.js';
import { ApiError } from '../common/errors/index.js';
import { Config } from '../config/index.js';
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
  // Operators' programs deliver nothing: instances that run do.
  const config = Config.load().with({ ROLE: 'api', LOG_LEVEL: 'error' });
  assertDatabase(config);
  const prepared = await prepare(config, (text) => console.error(text));
  try {
    const app = await createApp(prepared);
    try {
      await app.init();
      await command.run?.(app, rest);
    } finally {
      await app.close();
    }
  } finally {
    await prepared.stop();
  }
}

/** A command that finds no service must not leave an empty one behind. */
function assertDatabase(config: Config): void {
  const dataDir = config.get('DATA_DIR');
  if (config.get('DATABASE_URL') !== null || hasLocalDatabase(dataDir)) return;
  throw new UsageError(
    `There is no database here: set DATABASE_URL to that of the service, or DATA_DIR to its folder (seen: ${dataDir}). One that is new is made by npm start.`,
  );
}

/** What was refused is said as a client would be told; everything else is a failure. */
function refusalOf(error: unknown): string | null {
  if (error instanceof UsageError) return error.message;
  return error instanceof ApiError ? [error.message, error.details.hint].filter(Boolean).join(' ') : null;
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(refusalOf(error) ?? explainStartFailure(error));
    process.exit(1);
  },
);
