import { isoCBOR } from '@simplewebauthn/server/helpers';
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { newId } from '../../src/common/ids.js';
import { challengeHash } from '../../src/identity/methods/passkey/passkey-challenges.js';
import type { LoadRequest } from '../load/load-job.js';
import { withClient } from '../stack/postgres.js';
import { doorRequest, SITE, type Door, type Place } from './door.js';

interface Holder {
  readonly userId: string;
  readonly credentialId: string;
  readonly userHandle: Buffer;
  readonly privateKey: KeyObject;
  /** COSE_Key of ES256 (RFC 9052 §7). */
  readonly publicKey: Buffer;
}

const RP_ID = 'bench.example';
/** User present and verified (WebAuthn Level 3 §6.1), from an authenticator without a counter. */
const AUTHENTICATOR_DATA = Buffer.concat([sha256(RP_ID), Buffer.from([0x05]), Buffer.alloc(4)]);
const HANDLE_BYTES = 64;

/** Passkeys are inserted before their credentials: the foreign key is checked once both exist. */
const PLANT_PASSKEYS = `
  WITH passkey AS (
    INSERT INTO passkeys (environment_id, id, credential_id, public_key, user_handle, rp_id, sign_count,
      backup_eligible, backed_up, origin, transports, aaguid)
    SELECT $1, p.id, p.credential_id, p.public_key, p.user_handle, '${RP_ID}', 0, false, false, '${SITE}', '{internal}',
      '00000000-0000-0000-0000-000000000000'
    FROM unnest($2::uuid[], $4::text[], $5::bytea[], $6::bytea[]) AS p (id, credential_id, public_key, user_handle)
  ), claim AS (
    INSERT INTO identifier_claims (environment_id, kind, identifier, user_id, proven_at)
    SELECT $1, 'passkey', c.name, c.user_id, now() FROM unnest($4::text[], $3::uuid[]) AS c (name, user_id)
  )
  INSERT INTO credentials (environment_id, id, user_id, format, public_identifier, verified_at)
  SELECT $1, c.id, c.user_id, 'passkey', c.name, now()
  FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS c (id, user_id, name)`;

const PLANT_CHALLENGES = `
  INSERT INTO passkey_challenges (environment_id, challenge_hash, purpose, rp_id, expires_at)
  SELECT $1, hash, 'sign-in', '${RP_ID}', now() + interval '1 day' FROM unnest($2::bytea[]) AS hash`;

/** Passkeys of existing users, each with a P-256 key. */
export class PasskeyDoor implements Door {
  readonly row = 'sign-in with a passkey';
  readonly begunPerMs = 2;
  readonly opensAccounts = false;
  private holders: readonly Holder[] = [];

  constructor(private readonly userIds: readonly string[]) {}

  async begun(place: Place, count: number): Promise<LoadRequest[]> {
    const { databaseUrl, environmentId } = place;
    if (this.holders.length === 0) this.holders = await this.plant(place);
    const challenges = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
    await withClient(databaseUrl, (client) =>
      client.query(PLANT_CHALLENGES, [environmentId, challenges.map(challengeHash)]),
    );
    return challenges.map((challenge, index) =>
      doorRequest(
        environmentId,
        'users/passkeys/signin',
        assertion(this.holders[index % this.holders.length]!, challenge),
      ),
    );
  }

  private async plant({ databaseUrl, environmentId }: Place): Promise<Holder[]> {
    const holders = this.userIds.map(newHolder);
    await withClient(databaseUrl, (client) =>
      client.query(PLANT_PASSKEYS, [
        ...[environmentId, holders.map(() => newId()), holders.map(({ userId }) => userId)],
        ...[holders.map(({ credentialId }) => credentialId), holders.map(({ publicKey }) => publicKey)],
        holders.map(({ userHandle }) => userHandle),
      ]),
    );
    return holders;
  }
}

function newHolder(userId: string): Holder {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'));
  const key = new Map<number, unknown>([
    ...([
      [1, 2],
      [3, -7],
      [-1, 1],
    ] as const),
    ...([
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ] as const),
  ]);
  return {
    ...{ userId, privateKey, credentialId: randomBytes(32).toString('base64url') },
    ...{ userHandle: randomBytes(HANDLE_BYTES), publicKey: Buffer.from(isoCBOR.encode(key as never)) },
  };
}

/** A browser's response to the sign-in options (WebAuthn Level 3 §7.2). */
function assertion({ credentialId: id, userHandle, privateKey }: Holder, challenge: string): object {
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin: SITE, crossOrigin: false }));
  const signature = sign('sha256', Buffer.concat([AUTHENTICATOR_DATA, sha256(clientData)]), privateKey);
  return {
    ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
    response: {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: AUTHENTICATOR_DATA.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: userHandle.toString('base64url'),
    },
  };
}

function sha256(bytes: string | Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
