import { causeOf, fail, ok, warn, type Finding } from '../finding.js';

const LEAST = 6;
const POLICY = 'noeviction';
/** What Node reports of a certificate that it does not accept. */
const CERTIFICATE_FAULT = /^(?:UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|ERR_TLS_CERT_)/;
const ALONE = 'each instance counts rate limits alone, and finds work by polling';

export interface RedisState {
  /** Such as `7.2.4`; empty if it is unknown. */
  version: string;
  /** Bytes; 0 for no limit. */
  mostMemory: number;
  usedMemory: number;
  /** What it does at that limit. */
  policy: string;
  isReadOnly: boolean;
  isCluster: boolean;
  /** What it says to a wake-up; null if it takes it. */
  refusal: string | null;
}

/** @param info the response to INFO; empty if the user may not ask for it */
export function redisStateOf(info: string, refusal: string | null = null): RedisState {
  const field = (name: string): string => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
  return {
    version: field('redis_version'),
    mostMemory: Number(field('maxmemory')),
    usedMemory: Number(field('used_memory')),
    policy: field('maxmemory_policy') || POLICY,
    isReadOnly: field('slave_read_only') === '1',
    isCluster: field('cluster_enabled') === '1',
    refusal,
  };
}

/**
 * @param url REDIS_URL, null when not set
 * @param ask returns the state of the server
 */
export async function checkRedis(url: string | null, ask: (url: string) => Promise<RedisState>): Promise<Finding> {
  if (url === null)
    return ok('not configured: wake-ups and rate limits are in-process, which is enough for one instance');
  try {
    const { version, mostMemory, usedMemory, policy, isReadOnly, isCluster, refusal } = await ask(url);
    if (version === '')
      return warn(
        'responds, and does not say its version and limits',
        `give its user the right to INFO, or make sure that it is ${LEAST} or newer with ${POLICY}`,
      );
    const name = `Redis ${version}`;
    if (!(Number(version.split('.')[0]) >= LEAST))
      return fail(`${name}; ${LEAST} or newer is required`, `upgrade Redis to ${LEAST} or newer`);
    if (isReadOnly)
      return warn(`${name} is a replica, which takes no writes: ${ALONE}`, 'set REDIS_URL to the primary');
    if (isCluster)
      return warn(
        `${name} is in cluster mode, which refuses wake-ups`,
        'set REDIS_URL to a Redis without cluster mode',
      );
    if (mostMemory > 0 && policy !== POLICY)
      return warn(`${name} discards rate limits when it is full (${policy})`, `set maxmemory-policy to ${POLICY}`);
    if (mostMemory > 0 && usedMemory >= mostMemory) return warn(`${name} is full: ${ALONE}`, 'raise maxmemory');
    if (refusal !== null)
      return warn(`${name} refuses wake-ups (${refusal})`, 'let its user run scripts and use the keys gatehouse:*');
    return ok(name);
  } catch (error) {
    const cause = causeOf(error);
    return CERTIFICATE_FAULT.test(cause)
      ? fail(
          `its certificate is not accepted (${cause})`,
          'check the host in REDIS_URL, and name a private certificate authority in NODE_EXTRA_CA_CERTS',
        )
      : fail(`does not respond (${cause})`, 'check REDIS_URL and that Redis is running');
  }
}
