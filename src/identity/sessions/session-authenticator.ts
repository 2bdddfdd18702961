import { Injectable } from '@nestjs/common';
import type { TokenUse } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { OriginPolicy, SigningKeys } from '../../environments/index.js';
import { LiveSessions } from './live-sessions.js';
import { issuerOf } from './token-claims.js';
import { verifyToken, type VerifiedToken } from './token-verifier.js';

/** A valid token of a live session. */
export type LiveToken = VerifiedToken & { tokenUse: TokenUse };

/**
 * Verifies a token of an environment, that its session is live, and that the site it was issued to still belongs to the
 * environment (RFC 8725 §3.9). One statement, so a revocation takes effect at once; deletion of a site, within a
 * second.
 */
@Injectable()
export class SessionAuthenticator {
  constructor(
    private readonly keys: SigningKeys,
    private readonly sessions: LiveSessions,
    private readonly origins: OriginPolicy,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Also accepts a token that was replaced too long ago to count; see `tokenUse`. */
  async authenticate(environmentId: EnvironmentId, token: string): Promise<LiveToken | null> {
    const verified = await verifyToken(token, {
      environmentId,
      issuer: issuerOf(this.config.publicUrl, environmentId),
      nowSeconds: Math.floor(this.clock.timestamp() / 1000),
      findKey: (kid) => this.keys.verificationKey(environmentId, kid),
    });
    if (!verified) return null;
    if (!(await this.isOurs(environmentId, verified.issuedTo))) return null;
    const tokenUse = await this.sessions.tokenUse(environmentId, verified);
    return tokenUse && { ...verified, tokenUse };
  }

  /**
   * Whether the site of a token belongs to the environment. Tokens without one carry the service's own address and need
   * no look-up.
   */
  isOurs(environmentId: EnvironmentId, issuedTo: string): boolean | Promise<boolean> {
    return issuedTo === this.config.publicUrl || this.origins.allows(environmentId, issuedTo);
  }
}
