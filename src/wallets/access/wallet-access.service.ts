import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { ServiceSessions } from '../../identity/index.js';
import type { EmbeddedWalletAuthToken } from './wallet-access.dto.js';

/** Tokens that give a user access to their wallets and nothing else. */
@Injectable()
export class WalletAccess {
  constructor(private readonly sessions: ServiceSessions) {}

  async tokenFor(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    type: 'mpc' | undefined,
  ): Promise<EmbeddedWalletAuthToken> {
    return { token: await this.sessions.issue(environmentId, type ?? 'wallets', caller) };
  }
}
