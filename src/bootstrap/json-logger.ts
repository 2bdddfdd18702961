import type { LoggerService, LogLevel } from '@nestjs/common';
import type { Logger } from 'pino';
import { LogRecord } from '../common/log-record.js';
import { cleaned } from './log-text.js';
import { isNarration } from './narrators.js';
import { isThrownAsWell } from './thrown-as-well.js';

const LEVELS = { error: 'error', warn: 'warn', log: 'info', debug: 'debug', verbose: 'trace' } as const;

const STACK = /\n\s+at /;

/** Writes one line of JSON per message, for log collectors. It and its library are loaded only in production. */
export class JsonLogger implements LoggerService {
  private constructor(private readonly pino: Logger) {}

  /** @param write receives the lines instead of stdout */
  static async create(level: keyof typeof LEVELS, write?: (line: string) => void): Promise<JsonLogger> {
    const { pino, stdTimeFunctions } = await import('pino');
    const options = {
      level: LEVELS[level],
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    return new JsonLogger(write ? pino(options, { write }) : pino(options));
  }

  log(message: unknown, ...rest: unknown[]): void {
    if (!isNarration(rest.at(-1))) this.write('log', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (!isThrownAsWell(message, rest.at(-1))) this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('verbose', message, rest);
  }

  /** Required by the framework, but the level always comes from the settings. */
  setLogLevels(_levels: LogLevel[]): void {}

  /** The framework passes the context last and, with errors, the stack before it. */
  private write(level: keyof typeof LEVELS, message: unknown, rest: readonly unknown[]): void {
    const texts = rest.filter((item) => typeof item === 'string');
    const stack = texts.find((text) => STACK.test(text)) ?? (message instanceof Error ? message.stack : undefined);
    const context = texts.at(-1) === stack ? undefined : texts.at(-1);
    const fields = message instanceof LogRecord ? message.fields : {};
    const text =
      message instanceof LogRecord ? message.text : message instanceof Error ? message.message : textOf(message);
    this.pino[LEVELS[level]]({ context, ...allowed({ stack, ...fields }) }, cleaned(text));
  }
}

/** Non-strings are never logged: they may contain anything. */
const textOf = (message: unknown): string => (typeof message === 'string' ? message : `(${typeof message})`);

const FIELDS: ReadonlySet<string> = new Set<keyof LogRecord['fields']>([
  'requestId',
  'operationId',
  'method',
  'route',
  'status',
  'durationMs',
  'environmentId',
  'principal',
  'principalId',
  'eventId',
  'eventName',
  'resourceId',
  'messageId',
  'webhookId',
  'attempt',
  'outcome',
  'security',
  'code',
  'count',
  'stack',
]);

const allowed = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name, value]) => FIELDS.has(name) && ['string', 'number'].includes(typeof value))
      .map(([name, value]: [string, unknown]) => [name, typeof value === 'string' ? cleaned(value) : value]),
  );
