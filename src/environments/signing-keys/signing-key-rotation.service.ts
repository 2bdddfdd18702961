import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { UnitOfWork, type Transaction } from '../../database/index.js';
import { ChangeLog, SERVICE } from '../../organizations/index.js';
import { PublishedKeys } from './published-keys.js';
import { SigningKeyMaker } from './signing-key-maker.js';
import { SIGNING_KEY_PROMOTED, SIGNING_KEY_PUBLISHED, SIGNING_KEY_REVOKED } from './signing-key.events.js';
import { SigningKeysRepository, type LiveKey } from './signing-keys.repository.js';

export interface Rotation {
  /**
   * `published`: a new key is in the set; `waiting`: it was published less than a day ago; `promoted`: it signs now;
   * `replaced`: it is the only remaining key.
   */
  step: 'published' | 'waiting' | 'promoted' | 'replaced';
  keyId: string;
  /** When the key may begin to sign. */
  usableAt: Date;
}

/**
 * Replaces the signing key of an environment in two steps a day apart, so that no verifier meets an unknown key: the
 * next key is published first, then used to sign. Tokens signed by the old key stay valid until they expire.
 */
@Injectable()
export class SigningKeyRotation {
  constructor(
    private readonly keys: SigningKeysRepository,
    private readonly maker: SigningKeyMaker,
    private readonly published: PublishedKeys,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** Takes the step that is due. Calling it daily rotates the key; extra calls, from any instance, are harmless. */
  async rotate(environmentId: EnvironmentId): Promise<Rotation> {
    return (await this.promote(environmentId)) ?? this.publishNext(environmentId);
  }

  /** Publishes a next key unless one exists. */
  async publishNext(environmentId: EnvironmentId): Promise<Rotation> {
    const made = await this.maker.make(environmentId); // before the transaction: it takes 100 ms
    const rotation = await this.work.run(async (tx): Promise<Rotation> => {
      const inserted = await this.keys.insertIfAbsent(environmentId, { ...made, status: 'next' }, tx);
      const next = nextOf(await this.keys.lockLive(environmentId, tx));
      if (!next) throw new Error('The next key was promoted while it was being published.');
      if (inserted) await this.record(environmentId, SIGNING_KEY_PUBLISHED, next, tx);
      return { step: inserted ? 'published' : 'waiting', keyId: next.id, usableAt: next.usableAt };
    });
    this.published.forget(environmentId);
    return rotation;
  }

  /** Promotes the next key if it has been published for a day; null when there is no next key. */
  async promote(environmentId: EnvironmentId): Promise<Rotation | null> {
    const rotation = await this.work.run(async (tx): Promise<Rotation | null> => {
      const next = nextOf(await this.keys.lockLive(environmentId, tx));
      if (!next) return null;
      if (!next.isDue) return { step: 'waiting', keyId: next.id, usableAt: next.usableAt };
      await this.keys.promoteNext(environmentId, tx);
      await this.keys.forgetExpired(environmentId, tx);
      await this.record(environmentId, SIGNING_KEY_PROMOTED, next, tx);
      return { step: 'promoted', keyId: next.id, usableAt: next.usableAt };
    });
    this.published.forget(environmentId);
    return rotation;
  }

  /**
   * For a compromised key: a new one signs at once, and signatures by any other key are no longer accepted. Everybody
   * must sign in again, and verifiers with a cached key set meet an unknown key until they fetch it again.
   */
  async replaceNow(environmentId: EnvironmentId): Promise<Rotation> {
    const made = await this.maker.make(environmentId);
    const rotation = await this.work.run(async (tx): Promise<Rotation> => {
      // A concurrent rotation waits for these rows and then finds them deleted.
      await this.keys.lockLive(environmentId, tx);
      const revoked = await this.keys.revokeAll(environmentId, tx);
      await this.keys.insert(environmentId, { ...made, status: 'current' }, tx);
      for (const key of revoked) await this.record(environmentId, SIGNING_KEY_REVOKED, key, tx);
      const usableAt = this.clock.now();
      await this.record(environmentId, SIGNING_KEY_PROMOTED, { id: made.id, usableAt }, tx);
      return { step: 'replaced', keyId: made.id, usableAt };
    });
    this.published.forget(environmentId);
    return rotation;
  }

  private async record(
    environmentId: EnvironmentId,
    event: typeof SIGNING_KEY_PUBLISHED,
    { id, usableAt }: Pick<LiveKey, 'id' | 'usableAt'>,
    tx: Transaction,
  ): Promise<void> {
    const change = { event, resource: { type: 'signingKey', id }, before: null, after: { id, usableAt } };
    await this.changes.record({ scope: { environmentId }, actor: SERVICE, ...change }, tx);
  }
}

const nextOf = (keys: readonly LiveKey[]): LiveKey | undefined => keys.find(({ status }) => status === 'next');
