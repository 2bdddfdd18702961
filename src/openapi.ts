import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { errorVocabulary } from './common/errors/index.js';
import { Config } from './config/index.js';
import { EXTRA_SCHEMAS, buildDocument, committedFiles, findDrift, writeCommitted } from './openapi/index.js';
import { generateMasterKey, parseKeyRing } from './vault/index.js';

const USAGE = 'Usage: npm run openapi:write, or npm run openapi:check\n';

/** Generates the files from an application in preview mode: no database, no keys, no port. */
async function generate(): Promise<Map<string, string>> {
  const parts = { config: Config.load({}), vault: parseKeyRing(generateMasterKey()) };
  const app = await NestFactory.create(AppModule.forRoot(parts), { preview: true, logger: false, abortOnError: false });
  return committedFiles(buildDocument(app, EXTRA_SCHEMAS), errorVocabulary());
}

async function run(command: string | undefined): Promise<number> {
  const root = process.cwd();
  if (command === 'write') {
    for (const path of writeCommitted(root, await generate())) process.stdout.write(`wrote ${path}\n`);
    return 0;
  }
  if (command !== 'check') {
    process.stderr.write(USAGE);
    return 1;
  }
  const drift = findDrift(root, await generate());
  if (drift.length === 0) return 0;
  process.stderr.write(`${drift.join('\n')}\nWrite the files again with: npm run openapi:write\n`);
  return 1;
}

run(process.argv[2]).then(
  // Explicit exit: connections opened by a module at load time would keep the process alive.
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
