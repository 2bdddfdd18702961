import { newId } from '../../src/common/ids.js';
import { withClient } from '../stack/postgres.js';
import { emailOf } from './tenant.js';

const PLANT = `
  INSERT INTO credentials (environment_id, id, user_id, format, address, chain, public_identifier, wallet_provider,
    verified_at)
  SELECT $1, w.id, c.user_id, 'blockchain', w.address, 'EVM', w.address, 'browserExtension', now()
  FROM unnest($2::uuid[], $3::text[], $4::text[]) AS w (id, email, address)
  JOIN credentials c ON c.environment_id = $1 AND lower(c.email) = w.email AND c.format = 'email'`;

const READ_FROM = `
  UPDATE environment_settings SET settings = jsonb_set(settings::jsonb, '{chains}', $2::jsonb) WHERE environment_id = $1`;

/** Gives each code user a verified wallet. */
export async function plantWallets(
  databaseUrl: string,
  environmentId: string,
  users: number,
  newAddress: () => string,
): Promise<void> {
  const emails = Array.from({ length: users }, (_, index) => emailOf(index));
  const values = [environmentId, emails.map(() => newId()), emails, emails.map(newAddress)];
  await withClient(databaseUrl, (client) => client.query(PLANT, values));
}

/** Makes one EVM network read from the given address. The service must not be running meanwhile. */
export async function readFrom(
  databaseUrl: string,
  environmentId: string,
  networkId: number,
  rpcUrl: string,
): Promise<void> {
  const network = { networkId, chainName: 'EVM', enabled: true, type: 'default', rpcUrl };
  const chains = JSON.stringify([{ name: 'EVM', enabled: true, networks: [network] }]);
  await withClient(databaseUrl, (client) => client.query(READ_FROM, [environmentId, chains]));
}
