import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { SocialAccounts } from '../../providers/index.js';
import type { CreateUserOauthRequest } from './user-request.dto.js';

/** By the name of a provider, the installation of it that is set up; absent where there is but one for everybody. */
export type Connections = ReadonlyMap<string, string>;

interface GivenUser {
  oauthAccounts?: readonly CreateUserOauthRequest[] | undefined;
}

/** Accounts that API calls give to users, as they are met when somebody signs in with them. */
@Injectable()
export class GivenAccounts {
  constructor(private readonly social: SocialAccounts) {}

  /** An account at a provider that every company has of its own is one of the provider that is set up now. */
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
