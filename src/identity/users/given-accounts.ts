import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { SocialAccounts } from '../../providers/index.js';
import type { CreateUserOauthRequest } from './user-request.dto.js';

/** Connection ids by provider name; absent for providers with a single instance. */
export type Connections = ReadonlyMap<string, string>;

interface GivenUser {
  oauthAccounts?: readonly CreateUserOauthRequest[] | undefined;
}

/** Accounts that API calls add to users, matched when somebody signs in with them. */
@Injectable()
export class GivenAccounts {
  constructor(private readonly social: SocialAccounts) {}

  /** Accounts at a provider that each company runs itself are assigned to the connection configured now. */
  async connectionsOf(environmentId: EnvironmentId, users: readonly GivenUser[]): Promise<Connections> {
    const names = new Set(users.flatMap(({ oauthAccounts = [] }) => oauthAccounts.map(({ provider }) => provider)));
    const connections = new Map<string, string>();
    for (const name of names) {
      const connection = await this.social.findConnection(environmentId, name);
      if (connection !== null) connections.set(name, connection);
    }
    return connections;
  }
}
