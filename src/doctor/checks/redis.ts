import { causeOf, fail, ok, type Finding } from '../finding.js';

const LEAST = 6;

/**
 * @param url REDIS_URL, null when not set
 * @param version asks the server for its version, such as `7.2.4`
 */
export async function checkRedis(url: string | null, version: (url: string) => Promise<string>): Promise<Finding> {
  if (url === null) return ok('none configured: wake-ups and limits are in-process, good for one instance');
  try {
    const found = await version(url);
    return Number(found.split('.')[0]) >= LEAST
      ? ok(`Redis ${found}`)
      : fail(`Redis ${found}, and ${LEAST} is needed`, `upgrade Redis to ${LEAST} or newer`);
  } catch (error) {
    return fail(`does not answer (${causeOf(error)})`, 'check REDIS_URL and that Redis runs');
  }
}
