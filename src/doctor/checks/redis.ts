import { causeOf, fail, ok, type Finding } from '../finding.js';

const LEAST = 6;

/**
 * @param url REDIS_URL, null when not set
 * @param version asks the server for its version, such as `7.2.4`
 */
export async function checkRedis(url: string | null, version: (url: string) => Promise<string>): Promise<Finding> {
  if (url === null)
    return ok('not configured: wake-ups and rate limits are in-process, which is enough for one instance');
  try {
    const found = await version(url);
    return Number(found.split('.')[0]) >= LEAST
      ? ok(`Redis ${found}`)
      : fail(`Redis ${found}; ${LEAST} or newer is required`, `upgrade Redis to ${LEAST} or newer`);
  } catch (error) {
    return fail(`does not respond (${causeOf(error)})`, 'check REDIS_URL and that Redis is running');
  }
}
