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

  /** The public key that a `kid` names, if the environment publishes it; nothing else in a token is followed. */
  async verificationKey(environmentId: EnvironmentId, kid: string): Promise<KeyObject | null> {
    const key = (await this.published.find(environmentId))?.byId.get(kid);
    return key ? this.published.publicKeyOf(key) : null;
  }

  /** The key set that anyone may verify tokens with (RFC 7517 §5). */
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

  /** Takes the step of replacing the key that is due: publishes the next key, or a day later lets it sign. */
  rotate(environmentId: EnvironmentId): Promise<Rotation> {
    return this.rotation.rotate(environmentId);
  }

  /** For a key that was stolen: another one signs at once, and every token there is is refused. */
  replaceNow(environmentId: EnvironmentId): Promise<Rotation> {
    return this.rotation.replaceNow(environmentId);
  }
}
