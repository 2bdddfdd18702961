import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { CredentialsRepository } from './credentials.repository.js';
import type { NewCredential } from './new-credential.js';

/** Adds credentials to an existing user. Does not decide who owns an identifier: see UserIdentities. */
@Injectable()
export class CredentialWriter {
  constructor(private readonly credentials: CredentialsRepository) {}

  add(environmentId: EnvironmentId, userId: string, credentials: readonly NewCredential[], tx: Transaction): void {
    if (credentials.length > 0) this.credentials.insertFor(environmentId, userId, credentials, tx);
  }
}
