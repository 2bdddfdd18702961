import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { Envelope, type SealContext } from '../../vault/index.js';
import type { EnvironmentSecret } from './environment-secret.entity.js';
import { EnvironmentSecretsRepository } from './environment-secrets.repository.js';

export type SealedSecret = Pick<EnvironmentSecret, 'name' | 'sealedValue' | 'masterKeyId'>;

/** A row can be unsealed only under its own environment and name. */
export const environmentSecretContext = (environmentId: string, name: string): SealContext => ({
  purpose: 'environment-secret',
  environmentId,
  subjectId: environmentId,
  kind: name,
});

/** Environment secrets: in plaintext only while in use, sealed everywhere else. */
@Injectable()
export class EnvironmentSecrets {
  constructor(
    private readonly secrets: EnvironmentSecretsRepository,
    private readonly envelope: Envelope,
  ) {}

  /** Called before a transaction opens, as the vault may be slow to reach. */
  async seal(environmentId: EnvironmentId, name: string, value: string): Promise<SealedSecret> {
    const sealedValue = await this.envelope.seal(Buffer.from(value), environmentSecretContext(environmentId, name));
    return { name, sealedValue, masterKeyId: this.envelope.keyIdOf(sealedValue) };
  }

  /** Replaces the secret of the same name. */
  put(environmentId: EnvironmentId, sealed: SealedSecret, tx: Transaction): Promise<void> {
    return this.secrets.put(environmentId, sealed, tx);
  }

  /** Null when the environment has no such secret. */
  async find(environmentId: EnvironmentId, name: string): Promise<string | null> {
    const row = await this.secrets.find(environmentId, { name });
    if (!row) return null;
    const bytes = await this.envelope.open(row.sealedValue, environmentSecretContext(environmentId, name));
    try {
      return bytes.expose().toString();
    } finally {
      bytes.wipe();
    }
  }

  /** Checks without unsealing. */
  async has(environmentId: EnvironmentId, name: string, tx: Transaction): Promise<boolean> {
    return (await this.secrets.find(environmentId, { name }, tx)) !== null;
  }

  /** Returns whether the secret existed. */
  async remove(environmentId: EnvironmentId, name: string, tx: Transaction): Promise<boolean> {
    return (await this.secrets.delete(environmentId, { name }, tx)) === 1;
  }
}
