import { Injectable } from '@nestjs/common';
import type { TokenUse } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { SigningKeys } from '../../environments/index.js';
import { LiveSessions } from './live-sessions.js';
import { issuerOf } from './token-claims.js';
import { verifyToken, type VerifiedToken } from './token-verifier.js';

/** A token that holds, of a session that lives. */
export type LiveToken = VerifiedToken & { tokenUse: TokenUse };

/** Proves a token of an environment and that its session lives: one statement, so a revocation counts at once. */
@Injectable()
export class SessionAuthenticator {
  constructor(
    private readonly keys: SigningKeys,
    private readonly sessions: LiveSessions,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Also one that was replaced so long ago that it counts for nothing. */
  async authenticate(environmentId: EnvironmentId, token: string): Promise<LiveToken | null> {
    const verified = await verifyToken(token, {
      environmentId,
      issuer: issuerOf(this.config.publicUrl, environmentId),
      nowSeconds: Math.floor(this.clock.timestamp() / 1000),
      findKey: (kid) => this.keys.verificationKey(environmentId, kid),
    });
    if (!verified) return null;
    const tokenUse = await this.sessions.tokenUse(environmentId, verified);
    return tokenUse && { ...verified, tokenUse };
  }
}
