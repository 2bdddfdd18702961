import { ConsoleLogger } from '@nestjs/common';

/** What the framework logs, with its stack, although it throws it as well: by context, how such a message begins. */
const THROWN_AS_WELL: ReadonlyMap<unknown, RegExp> = new Map([
  ['ExceptionHandler', /^/],
  ['NestApplication', /^Error: listen/],
  ['TypeOrmModule', /^Unable to connect/],
]);

/** The log of the service. An error that stops the start is left to the one line that explains it. */
export class ServiceLogger extends ConsoleLogger {
  override error(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    if (THROWN_AS_WELL.get(context)?.test(String(message))) return;
    super.error(message, ...rest);
  }
}
