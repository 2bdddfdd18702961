import { customNetwork } from '../custom-network.js';
import { keepOne } from '../room.js';
import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

async function makeNetwork({ world, marker }: Tenant): Promise<string> {
  const path = `/organizations/${world.ids.organizationId}/customNetworks`;
  const network = customNetwork(marker);
  const made = await world.owner.post<{ customNetwork: { id: string } }>(path, network, { expect: 201 });
  return made.body.customNetwork.id;
}

export const surface: Surface = {
  records: { networkId: { make: makeNetwork } },
  operations: {
    createCustomNetwork: {
      request: async (tenant) => {
        await keepOne('custom_networks', 'organizationId', 'networkId')(tenant);
        return { body: customNetwork(tenant.marker) };
      },
    },
    updateCustomNetwork: { request: (tenant) => ({ body: customNetwork(tenant.marker) }) },
  },
};
