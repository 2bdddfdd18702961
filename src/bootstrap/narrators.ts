/** Parts of the framework that narrate a start line by line. The service itself logs one line when it is ready. */
const NARRATORS: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** @param context what the framework passes last with each line: the part that logs it */
export const isNarration = (context: unknown): boolean => NARRATORS.has(context);
