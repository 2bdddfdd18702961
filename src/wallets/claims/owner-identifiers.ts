import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import type { Identifier } from '../../identity/index.js';
import { SocialAccounts } from '../../providers/index.js';
import type { NamedUserRequest } from '../record/embedded-wallet.dto.js';
import { identifierOf } from './owner-identifier.js';

/** The identifier that a wallet is made for, in the form used when its user signs in. */
@Injectable()
export class OwnerIdentifiers {
  constructor(private readonly accounts: SocialAccounts) {}

  /** With per-company instances of a provider, the account is at the one configured now. @throws as `identifierOf` */
  async of(environmentId: EnvironmentId, request: NamedUserRequest): Promise<Identifier> {
    const identifier = identifierOf(request);
    const { kind, provider } = identifier;
    if (kind !== 'socialAccountId' || provider === undefined) return identifier;
    const connection = await this.accounts.findConnection(environmentId, provider);
    return { ...identifier, ...(connection && { connection }) };
  }
}
