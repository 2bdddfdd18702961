import type { LogLevel } from '@nestjs/common';

/** Says what a start and a stop have to say, a line each: JSON where programs read it, text where people do. */
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
 * In production everything that is written is JSON: the warnings of Node as well, and what nobody caught, after which the
 * process ends as it would have ended.
 */
export function speakForNode({ complain }: Voice): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => complain(`${name}: ${message}`));
  process.on('uncaughtException', (error: unknown) => {
    complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  });
}
