/** What the framework logs, with its stack, although it throws it as well: by context, how such a message begins. */
const THROWN_AS_WELL: ReadonlyMap<unknown, RegExp> = new Map([
  ['ExceptionHandler', /^/],
  ['NestApplication', /^Error: listen/],
  ['TypeOrmModule', /^Unable to connect/],
]);

/** An error that stops the start is left to the one line that explains it. */
export const isThrownAsWell = (message: unknown, context: unknown): boolean =>
  THROWN_AS_WELL.get(context)?.test(String(message)) === true;
