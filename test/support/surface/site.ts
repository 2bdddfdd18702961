import { eventually } from '../receiver.js';
import type { Tenant } from './tenant.js';

/**
 * Registers the tenant's passkey site with the service. Other calls may have removed origins, which the service rereads
 * only after a while.
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
