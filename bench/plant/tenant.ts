import { randomBytes, randomInt } from 'node:crypto';
import { TOKEN_SCOPES } from '../../src/auth/index.js';
import { newId } from '../../src/common/ids.js';
import { SigningKeys } from '../../src/environments/index.js';
import { codeHmac, destinationHash } from '../../src/identity/codes/one-time-code.js';
import { Pepper } from '../../src/identity/codes/pepper.js';
import { ApiTokensService } from '../../src/organizations/index.js';
import { provision } from '../../src/provisioning/index.js';
import { codeHmac as bareCodeHmac } from '../bare/signatures.js';
import { withClient } from '../stack/postgres.js';
import { withApplication } from './application.js';

/** An unredeemed code. */
export interface PlantedCode {
  readonly verificationUUID: string;
  readonly verificationToken: string;
}

/** The environment's data that the load programs need. */
export interface Tenant {
  readonly environmentId: string;
  /** An API token with every scope. */
  readonly token: string;
  readonly kid: string;
  /** PKCS #8 PEM. */
  readonly privateKey: string;
  /** Codes for the service, and others that the bare server can verify. */
  readonly codes: PlantedCode[];
  readonly bareCodes: PlantedCode[];
  readonly bareCodeKey: string;
}

/** The address that codes are sent to; the users are created later. */
export const emailOf = (user: number): string => `user-${user}@bench.example`;

interface Planting {
  readonly databaseUrl: string;
  readonly masterKey: string;
  readonly users: number;
  /** Codes for the service, and the same number for the bare server. */
  readonly codes: number;
}

/** Creates an organization with a project, as the service does, and plants codes in its live environment. */
export async function plantTenant({ databaseUrl, masterKey, users, codes }: Planting): Promise<Tenant> {
  return withApplication({ databaseUrl, masterKey }, async (app) => {
    const made = await provision(app, { organization: 'Bench', project: 'Bench', ownerEmail: 'owner@bench.example' });
    const environmentId = made.environments.live;
    const token = await app
      .get(ApiTokensService, { strict: false })
      .mint(environmentId, { note: 'bench', scopes: [...TOKEN_SCOPES.values], createdBy: newId() });
    const { kid, privateKey } = await app.get(SigningKeys, { strict: false }).signer(environmentId);
    const pepper = await app.get(Pepper, { strict: false }).bytes();
    const bareKey = randomBytes(32);
    const target = { databaseUrl, environmentId, users, codes };
    const hash = (email: string): Buffer => destinationHash(pepper, environmentId, email);
    return {
      environmentId,
      token: token.rawToken,
      kid,
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      codes: await plantCodes(target, hash, (verificationId, code) =>
        codeHmac(pepper, { environmentId, purpose: 'email-code', verificationId }, code),
      ),
      bareCodes: await plantCodes(target, hash, (id, code) => bareCodeHmac(bareKey, environmentId, id, code)),
      bareCodeKey: bareKey.toString('hex'),
    };
  });
}

const PLANT = `
  INSERT INTO email_verifications (environment_id, id, email, destination_hash, code_hmac, expires_at)
  SELECT $1, c.id, c.email, c.hash, c.hmac, now() + interval '1 day'
  FROM unnest($2::uuid[], $3::text[], $4::bytea[], $5::bytea[]) AS c (id, email, hash, hmac)`;

const PLANT_DESTINATIONS = `
  INSERT INTO code_destinations (environment_id, destination_hash, last_sent_at)
  SELECT $1, d, now() FROM unnest($2::bytea[]) AS d ON CONFLICT DO NOTHING`;

async function plantCodes(
  {
    databaseUrl,
    environmentId,
    users,
    codes,
  }: Pick<Planting, 'databaseUrl' | 'users' | 'codes'> & { environmentId: string },
  destination: (email: string) => Buffer,
  hmac: (verificationId: string, code: string) => Buffer,
): Promise<PlantedCode[]> {
  const planted = Array.from({ length: codes }, () => ({
    verificationUUID: newId(),
    verificationToken: String(randomInt(1_000_000)).padStart(6, '0'),
  }));
  const emails = planted.map((_, index) => emailOf(index % users));
  const hashes = emails.map(destination);
  await withClient(databaseUrl, async (client) => {
    const ids = planted.map(({ verificationUUID }) => verificationUUID);
    const hmacs = planted.map((code) => hmac(code.verificationUUID, code.verificationToken));
    await client.query(PLANT, [environmentId, ids, emails, hashes, hmacs]);
    await client.query(PLANT_DESTINATIONS, [environmentId, hashes.slice(0, users)]);
  });
  return planted;
}
