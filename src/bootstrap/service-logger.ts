import { ConsoleLogger } from '@nestjs/common';
import { LogRecord } from '../common/log-record.js';
import { isNarration } from './narrators.js';
import { isThrownAsWell } from './thrown-as-well.js';

/** The service log for people, used outside production. */
export class ServiceLogger extends ConsoleLogger {
  override error(message: unknown, ...rest: unknown[]): void {
    if (!isThrownAsWell(message, rest.at(-1))) super.error(inOneLine(message), ...rest);
  }

  override warn(message: unknown, ...rest: unknown[]): void {
    super.warn(inOneLine(message), ...rest);
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!isNarration(rest.at(-1))) super.log(inOneLine(message), ...rest);
  }

  override debug(message: unknown, ...rest: unknown[]): void {
    super.debug(inOneLine(message), ...rest);
  }
}

const inOneLine = (message: unknown): unknown => (message instanceof LogRecord ? message.toString() : message);
