import type { LogLevel } from '@nestjs/common';

/** Prints start-up and shutdown messages, one line each: as JSON in production, else as text. */
export interface Voice {
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

const OF_PEOPLE: Voice = { say: (line) => console.log(line), complain: (line) => console.error(line) };

export async function voiceOf(isProduction: boolean, level: LogLevel = 'log'): Promise<Voice> {
  if (!isProduction) return OF_PEOPLE;
  const { JsonLogger } = await import('./json-logger.js');
  const logger = await JsonLogger.create(level === 'fatal' ? 'error' : level);
  return { say: (line) => logger.log(line, 'Gatehouse'), complain: (line) => logger.error(line, 'Gatehouse') };
}

/**
 * In production all output is JSON, including Node's warnings and uncaught exceptions. After the latter the process exits
 * with 1, as it would have done anyway.
 */
export function speakForNode({ complain }: Voice): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => complain(`${name}: ${message}`));
  process.on('uncaughtException', (error: unknown) => {
    complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  });
}
