import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import type { JwksResponse } from './jwks.dto.js';
import type { KeyResponse } from './key.dto.js';
import { PublishedKeys } from './published-keys.js';
import { SigningKeyRotation, type Rotation } from './signing-key-rotation.service.js';

/** The keys that sign and verify the tokens of environments (RS256). */
@Injectable()
export class SigningKeys {
  constructor(
    private readonly published: PublishedKeys,
    private readonly rotation: SigningKeyRotation,
  ) {}

  /**
   * The key to sign with now.
   *
   * @throws notFound when the environment has no key
   */
  async signer(environmentId: EnvironmentId): Promise<{ kid: string; privateKey: KeyObject }> {
    const current = (await this.published.find(environmentId))?.current;
    if (!current) throw notFound();
    return { kid: current.id, privateKey: await this.published.privateKeyOf(environmentId, current) };
  }

  /** The published public key for a `kid`; nothing else in a token is used to find a key. */
  async verificationKey(environmentId: EnvironmentId, kid: string): Promise<KeyObject | null> {
    const key = (await this.published.find(environmentId))?.byId.get(kid);
    return key ? this.published.publicKeyOf(key) : null;
  }

  /** The public key set for verifying tokens (RFC 7517 §5). */
  jwks(environmentId: EnvironmentId): JwksResponse | Promise<JwksResponse> {
    const known = this.published.find(environmentId);
    return known instanceof Promise ? known.then((set) => set?.jwks ?? { keys: [] }) : known.jwks;
  }

  /** @throws notFound when the environment has no key */
  async currentPublicKey(environmentId: EnvironmentId): Promise<KeyResponse> {
    const current = (await this.published.find(environmentId))?.current;
    if (!current) throw notFound();
    return { key: { id: current.id, publicKey: Buffer.from(current.publicKey).toString('base64') } };
  }

  /** Takes the due rotation step: publishes the next key, or promotes it a day later. */
  rotate(environmentId: EnvironmentId): Promise<Rotation> {
    return this.rotation.rotate(environmentId);
  }

  /** For a compromised key: another one signs at once, and all existing tokens are rejected. */
  replaceNow(environmentId: EnvironmentId): Promise<Rotation> {
    return this.rotation.replaceNow(environmentId);
  }
}
