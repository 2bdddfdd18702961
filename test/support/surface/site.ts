import { eventually } from '../receiver.js';
import type { Tenant } from './tenant.js';

/**
 * Has the service know a site of the tenant that passkeys are made on. Other calls may have made room among the origins,
 * which the service looks at again after a while.
 */
export async function keepSite({ db, world }: Tenant, origin: string): Promise<void> {
  await db.query(
    'INSERT INTO origins (environment_id, id, origin) VALUES ($1, gen_random_uuid(), $2) ON CONFLICT DO NOTHING',
    [world.environmentId, origin],
  );
  await eventually('the site is known', async () => {
    const { status } = await world.anonymous.get(world.sdk('/users/passkeys/signin'), { headers: { origin } });
    return status === 200;
  });
}
