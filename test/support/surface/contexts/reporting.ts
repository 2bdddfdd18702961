import { mintEnvironmentId } from '../../../../src/auth/index.js';
import { ExportWriter } from '../../../../src/reporting/exports/export-writer.js';
import { keepOne } from '../room.js';
import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

/** A person with a session or a personal token gives a fresh proof, which none of these callers has. */
const UNPROVEN = Object.fromEntries(
  [
    'a personal token of an admin',
    'a personal token of an owner',
    "the owner's session of the console",
    "the owner's session of the console, in its minified form",
  ].map((caller) => [caller, [403]]),
);

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

export const surface: Surface = {
  records: { exportId: { make: writtenExport } },
  operations: {
    createExport: {
      request: async (tenant) => {
        await keepOne('exports', 'environmentId', 'exportId')(tenant);
        return { body: { format: 'csv', model: 'users' } };
      },
      callers: UNPROVEN,
    },
    downloadExportById: {
      callers: UNPROVEN,
      untold: 'an address for one download is made, of which the audit trail tells',
    },
  },
  commands: {
    'analytics rebuild': {
      options: ({ world }) => ['--environment', world.environmentId],
      untold: 'counts what is there; nothing that anybody was told of changes',
    },
  },
};
