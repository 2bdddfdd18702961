import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { INestApplication, LogLevel } from '@nestjs/common';
import { makeFolder } from '../common/own-files.js';
import { Config } from '../config/index.js';
import { developmentLog, loggerFor } from './create-app.js';
import { ServiceLogger } from './service-logger.js';

/** The parts that tell of changes. Whatever else is logged meanwhile is on the screen at once. */
const TELL_OF_CHANGES: ReadonlySet<string> = new Set(['Security', 'Deliveries', 'Webhooks']);

/** Writes what those parts log into a file, each line as it comes, so that none is lost if the process ends. */
class AsideLogger extends ServiceLogger {
  constructor(
    private readonly path: string,
    config: Config,
  ) {
    super(developmentLog(config));
  }

  protected override printMessages(
    messages: unknown[],
    context = '',
    level: LogLevel = 'log',
    stream?: 'stdout' | 'stderr',
  ): void {
    if (TELL_OF_CHANGES.has(context) && this.keep(messages, `${level.toUpperCase()} [${context}]`)) return;
    super.printMessages(messages, context, level, stream);
  }

  private keep(messages: unknown[], origin: string): boolean {
    const text = messages.map((message) => `${this.getTimestamp()} ${origin} ${String(message)}\n`).join('');
    try {
      makeFolder(dirname(this.path));
      appendFileSync(this.path, text, { mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }
}

/** Does what changes much that nobody asked for, such as creating the demo, and logs those changes in a file. */
export async function logAside<T>(app: INestApplication, path: string, run: () => Promise<T>): Promise<T> {
  const config = app.get(Config);
  if (config.isProduction) return run();
  app.useLogger(new AsideLogger(path, config));
  try {
    return await run();
  } finally {
    app.useLogger(await loggerFor(config));
  }
}
