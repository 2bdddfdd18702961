import { mintEnvironmentId } from '../../../../src/auth/index.js';
import { ExportWriter } from '../../../../src/reporting/exports/export-writer.js';
import { keepOne } from '../room.js';
import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

async function writtenExport(tenant: Tenant): Promise<string> {
  const { world } = tenant;
  await keepOne('exports', 'environmentId', 'exportId')(tenant);
  const made = await world.api.post<{ id: string }>(
    world.path('/exports'),
    { format: 'csv', model: 'users' },
    { expect: 201 },
  );
  const writer = world.test.app.get(ExportWriter, { strict: false });
  while (await writer.step(mintEnvironmentId(world.environmentId), made.body.id));
  return made.body.id;
}

const RANGE = 'start=2026-01-01&end=2026-01-31';

export const surface: Surface = {
  records: { exportId: { make: writtenExport } },
  operations: {
    getAnalyticsEngagement: { request: () => ({ query: RANGE }) },
    getAnalyticsTopline: { request: () => ({ query: RANGE }) },
    getAnalyticsOverview: { request: () => ({ query: `${RANGE}&granularity=day` }) },
    getAnalyticsWallets: { request: () => ({ query: `${RANGE}&chain=EVM` }) },
    createExport: {
      request: async (tenant) => {
        await keepOne('exports', 'environmentId', 'exportId')(tenant);
        return { body: { format: 'csv', model: 'users' } };
      },
    },
  },
  commands: {
    'analytics clients': { options: ({ world }) => ['--environment', world.environmentId], untold: 'only reads' },
    'analytics rebuild': {
      options: ({ world }) => ['--environment', world.environmentId],
      untold: 'counts what is there; nothing that anybody was told of changes',
    },
  },
};
