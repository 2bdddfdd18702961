import type { Redis } from 'ioredis';
import { DOORBELL } from './doorbell.processor.js';

/** What the names of all keys of the queue begin with. */
export const PREFIX = 'gatehouse';

/** Of different slots, as those of a ring are, so that Redis in cluster mode refuses them together. */
const KEYS = [`${PREFIX}:${DOORBELL}:none`, `${PREFIX}:${DOORBELL}:id`];
/** Like any ring, a script that writes. It changes nothing, since there is no such list. */
const TRIAL = "return redis.call('lpushx', KEYS[1], '')";

/** @throws ReplyError if Redis would refuse a ring: it is full, read-only, in cluster mode, or denies the user scripts or keys */
export async function tryRing(redis: Pick<Redis, 'eval'>): Promise<void> {
  await redis.eval(TRIAL, KEYS.length, ...KEYS);
}
