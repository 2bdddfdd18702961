/** Errors that the framework logs, with their stack, and then throws as well: by context, how such a message begins. */
const THROWN_AS_WELL: ReadonlyMap<unknown, RegExp> = new Map([
  ['ExceptionHandler', /^/],
  ['NestApplication', /^Error: listen/],
  ['TypeOrmModule', /^Unable to connect/],
]);

/** Whether to skip a log message because the error also fails the start, which is explained in one line. */
export const isThrownAsWell = (message: unknown, context: unknown): boolean =>
  THROWN_AS_WELL.get(context)?.test(String(message)) === true;
