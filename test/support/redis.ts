/** Databases of a server started for the run; an ordinary server has as many as this number. */
export const REDIS_DATABASES = 16;

/** The Redis of this run, with a database number of the worker's own, so that no two workers share a key. */
export function redisUrl(workerId: number = Number(process.env['JEST_WORKER_ID'] ?? '1')): string {
  const server = process.env['GATEHOUSE_TEST_REDIS'];
  if (!server) throw new Error('GATEHOUSE_TEST_REDIS is set by the global setup of the e2e project; use npm test');
  const url = new URL(server);
  url.pathname = `/${workerId % REDIS_DATABASES}`;
  return url.href;
}
