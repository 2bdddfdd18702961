import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { duplicateExists, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import type {
  DelegatedAccessEncryptionPublicKey,
  DelegatedAccessEncryptionPublicKeyResponse,
  DelegatedAccessEncryptionPublicKeysUnifiedResponse,
  WaasDelegationCredentialsRequest,
  WaasDelegationCredentialsResponse,
} from './delegation-key.dto.js';
import { delegationKeyPending, noDelegationKey, tooManyDelegationKeys } from './delegation-key.errors.js';
import { DELEGATION_KEY_CREATED } from './delegation-key.events.js';
import { DelegationKeysRepository, MOST_KEYS } from './delegation-keys.repository.js';
import { algorithmOf, parseDelegationKey } from './parse-delegation-key.js';

/** A team's keys that its users' shares are sealed to, one active at a time. */
@Injectable()
export class DelegationKeysService {
  constructor(
    private readonly keys: DelegationKeysRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(
    environmentId: EnvironmentId,
    includeAll: boolean,
  ): Promise<DelegatedAccessEncryptionPublicKeysUnifiedResponse> {
    const keys = await this.keys.listShown(environmentId);
    const key = keys.find(({ status }) => status === 'active') ?? null;
    const message = key ? 'The key that shares are sealed to.' : 'There is no key that shares are sealed to.';
    return { key, ...(includeAll && { keys }), message };
  }

  /** @throws ApiError not_found */
  async get(environmentId: EnvironmentId, keyId: string): Promise<DelegatedAccessEncryptionPublicKeyResponse> {
    const key = await this.keys.findShown(environmentId, keyId);
    if (!key) throw notFound();
    return answer(key);
  }

  /** @throws ApiError no_delegation_key */
  async getActive(environmentId: EnvironmentId): Promise<DelegatedAccessEncryptionPublicKeyResponse> {
    const key = await this.keys.findActive(environmentId);
    if (!key) throw noDelegationKey();
    return answer(key);
  }

  /**
   * @throws ApiError invalid_delegation_key, delegation_key_pending, too_many_delegation_keys, duplicate_exists for a
   *   key that the environment has registered before, replaced or not
   */
  async register(
    environmentId: EnvironmentId,
    { publicKey: text, alg: name, type = 'external' }: WaasDelegationCredentialsRequest,
    actor: Actor,
  ): Promise<WaasDelegationCredentialsResponse> {
    const alg = algorithmOf(name);
    const { kid, publicKey } = parseDelegationKey(text);
    const id = newId();
    return this.work.run(async (tx) => {
      await this.keys.hold(environmentId, tx);
      const known = await this.keys.listShown(environmentId, tx);
      if (known.some((key) => key.kid === kid)) throw duplicateExists();
      if (known.some(({ status }) => status === 'pending')) throw delegationKeyPending();
      if (known.length >= MOST_KEYS) throw tooManyDelegationKeys();
      if (!(await this.keys.replace(environmentId, { id, kid, alg, type, publicKey }, tx))) throw duplicateExists();
      const after = (await this.keys.findShown(environmentId, id, tx))!;
      const resource = { type: 'delegationKey', id };
      const change = { event: DELEGATION_KEY_CREATED, resource, before: null, after };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      const { createdAt, updatedAt } = after;
      return { publicKey, kid, alg, type, createdAt, updatedAt };
    });
  }
}

function answer(key: DelegatedAccessEncryptionPublicKey): DelegatedAccessEncryptionPublicKeyResponse {
  return { key, message: `The key is ${key.status}.` };
}
