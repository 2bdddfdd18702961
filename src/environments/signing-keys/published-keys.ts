import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EnvironmentId } from '../../auth/index.js';
import { RecentLookups } from '../../common/recent-lookups.js';
import { Envelope } from '../../vault/index.js';
import { toJsonWebKey } from './json-web-key.js';
import type { JwksResponse } from './jwks.dto.js';
import { sealContextOf } from './signing-key-maker.js';
import { SigningKeysRepository, type PublishedKey } from './signing-keys.repository.js';

const MAX_ENVIRONMENTS = 1_000;
const MAX_KEYS = 2_000;
const MAX_AGE_MS = 1_000;

/** The keys of one environment at a point in time. */
interface KeySet {
  current: PublishedKey | null;
  byId: ReadonlyMap<string, PublishedKey>;
  jwks: JwksResponse;
}

/**
 * Cached keys for per-token use. The list of keys is at most a second old; a key itself never changes, so its expensive
 * parsed form is built once.
 */
@Injectable()
export class PublishedKeys {
  private readonly sets: RecentLookups<EnvironmentId, KeySet>;
  private readonly privateKeys = new LRUCache<string, KeyObject>({ max: MAX_KEYS });
  private readonly publicKeys = new LRUCache<string, KeyObject>({ max: MAX_KEYS });
  private readonly webKeys = new LRUCache<string, JwksResponse['keys'][number]>({ max: MAX_KEYS });

  constructor(
    private readonly keys: SigningKeysRepository,
    private readonly envelope: Envelope,
  ) {
    this.sets = new RecentLookups({ max: MAX_ENVIRONMENTS, ttlMs: MAX_AGE_MS, find: (id) => this.load(id) });
  }

  /** The current key of an environment and the published keys; null when it has none. */
  find(environmentId: EnvironmentId): KeySet | Promise<KeySet | null> {
    return this.sets.get(environmentId);
  }

  /** @throws SealedBlobError if the row does not contain the key that was sealed for it */
  async privateKeyOf(environmentId: EnvironmentId, { id, sealedPrivateKey }: PublishedKey): Promise<KeyObject> {
    const known = this.privateKeys.get(id);
    if (known) return known;
    if (!sealedPrivateKey) throw new Error(`The key ${id} does not sign.`);
    const secret = await this.envelope.open(sealedPrivateKey, sealContextOf(environmentId, id));
    try {
      const key = createPrivateKey({ key: secret.expose(), format: 'der', type: 'pkcs8' });
      this.privateKeys.set(id, key);
      return key;
    } finally {
      secret.wipe();
    }
  }

  publicKeyOf({ id, publicKey }: PublishedKey): KeyObject {
    const known = this.publicKeys.get(id);
    if (known) return known;
    const key = createPublicKey(publicKey);
    this.publicKeys.set(id, key);
    return key;
  }

  /** Makes the next call reload the keys, on this instance. */
  forget(environmentId: EnvironmentId): void {
    this.sets.forget(environmentId);
  }

  private async load(environmentId: EnvironmentId): Promise<KeySet | null> {
    const rows = await this.keys.listPublished(environmentId);
    if (rows.length === 0) return null;
    return {
      current: rows.find(({ status }) => status === 'current') ?? null,
      byId: new Map(rows.map((row) => [row.id, row])),
      jwks: { keys: rows.map((row) => this.webKeyOf(row)) },
    };
  }

  private webKeyOf({ id, publicKey }: PublishedKey): JwksResponse['keys'][number] {
    const known = this.webKeys.get(id);
    if (known) return known;
    const key = toJsonWebKey(id, publicKey);
    this.webKeys.set(id, key);
    return key;
  }
}
