import { createApp, explainStartFailure, prepare } from '../bootstrap/index.js';
import { Config } from '../config/index.js';
import { UsageError } from './arguments.js';
import { COMMANDS, usage } from './commands.js';

async function main(words: string[]): Promise<void> {
  const line = words.join(' ');
  const command = COMMANDS.find((known) => line === known.words || line.startsWith(`${known.words} `));
  if (!command) throw new UsageError(usage());
  const rest = words.slice(command.words.split(' ').length);
  if (command.alone) return command.alone(rest);
  // Operators' programs deliver nothing: instances that run do.
  const config = Config.load().with({ ROLE: 'api', LOG_LEVEL: 'error' });
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

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof UsageError ? error.message : explainStartFailure(error));
    process.exit(1);
  },
);
