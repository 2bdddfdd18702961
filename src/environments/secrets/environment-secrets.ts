import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { Envelope, type SealContext } from '../../vault/index.js';
import type { EnvironmentSecret } from './environment-secret.entity.js';
import { EnvironmentSecretsRepository } from './environment-secrets.repository.js';

export type SealedSecret = Pick<EnvironmentSecret, 'name' | 'sealedValue' | 'masterKeyId'>;

/** A row opens under its own environment and name alone. */
export const environmentSecretContext = (environmentId: string, name: string): SealContext => ({
  purpose: 'environment-secret',
  environmentId,
  subjectId: environmentId,
  kind: name,
});

/** Secrets of environments: in the clear for as long as somebody uses one, sealed everywhere else. */
@Injectable()
export class EnvironmentSecrets {
  constructor(
    private readonly secrets: EnvironmentSecretsRepository,
    private readonly envelope: Envelope,
  ) {}

  /** Seals before a transaction opens, for the vault may be far away. */
  async seal(environmentId: EnvironmentId, name: string, value: string): Promise<SealedSecret> {
    const sealedValue = await this.envelope.seal(Buffer.from(value), environmentSecretContext(environmentId, name));
    return { name, sealedValue, masterKeyId: this.envelope.keyIdOf(sealedValue) };
  }

  /** Takes the place of the secret with the same name. */
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

  /** Without opening it. */
  async has(environmentId: EnvironmentId, name: string, tx: Transaction): Promise<boolean> {
    return (await this.secrets.find(environmentId, { name }, tx)) !== null;
  }

  /** Whether there was one. */
  async remove(environmentId: EnvironmentId, name: string, tx: Transaction): Promise<boolean> {
    return (await this.secrets.delete(environmentId, { name }, tx)) === 1;
  }
}
