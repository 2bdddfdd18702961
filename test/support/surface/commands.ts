import { COMMANDS } from '../../../src/cli/commands.js';
import { serviceSurface } from './registry.js';
import type { Tenant } from './tenant.js';

/** Runs a command with the options that its context declares. */
export async function playCommand(tenant: Tenant, words: string): Promise<void> {
  const { options, reachesOut } = serviceSurface.commands[words] ?? {};
  if (reachesOut) return;
  const command = COMMANDS.find((each) => each.words === words);
  if (command?.run) await command.run(tenant.world.test.app, (await options?.(tenant)) ?? []);
}

/** Makes a published signing key the active one, as if a day had passed. */
export async function promoteSigningKey(tenant: Tenant): Promise<void> {
  const aged =
    "UPDATE signing_keys SET created_at = now() - interval '2 d' WHERE environment_id = $1 AND status = 'next'";
  await tenant.db.query(aged, [tenant.world.environmentId]);
  await playCommand(tenant, 'signing-keys rotate');
}
