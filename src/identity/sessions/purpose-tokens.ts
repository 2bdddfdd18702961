import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { isUuid } from '../../common/ids.js';
import { Config } from '../../config/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { SigningKeys } from '../../environments/index.js';
import { holdsNow, LEEWAY_SECONDS, readSignedToken, type ReadClaims } from './signed-token.js';
import { issuerOf } from './token-claims.js';
import { TokenSigner } from './token-signer.js';

/**
 * Short-lived single-purpose tokens, signed with the environment's key. Type, audience and a dedicated claim each
 * distinguish them from session tokens (RFC 8725 §3.9, §3.11, §3.12).
 */
@Injectable()
export class PurposeTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly signer: TokenSigner,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws notFound if the environment has no key */
  async issue(
    environmentId: EnvironmentId,
    purpose: string,
    { claims, ttlSeconds }: { claims: Readonly<Record<string, unknown>>; ttlSeconds: number },
  ): Promise<string> {
    const [issuer, nowSeconds] = [this.issuerOf(environmentId), this.nowSeconds()];
    const common = { iss: issuer, aud: `${issuer}/${purpose}`, environment_id: environmentId, purpose };
    const times = { jti: randomUUID(), iat: nowSeconds, exp: nowSeconds + ttlSeconds };
    return this.signer.sign({ ...claims, ...common, ...times }, await this.keys.signer(environmentId), typOf(purpose));
  }

  /** The claims of a valid token of the environment for this purpose; null for any other token. */
  read(environmentId: EnvironmentId, purpose: string, token: string): Promise<ReadClaims | null> {
    const issuer = this.issuerOf(environmentId);
    const holds = (claims: ReadClaims): boolean =>
      claims['iss'] === issuer &&
      claims['aud'] === `${issuer}/${purpose}` &&
      claims['environment_id'] === environmentId &&
      claims['purpose'] === purpose &&
      isUuid(claims['jti']) &&
      // It lives for minutes by its issuer's clock, so no leeway is given for clock skew.
      holdsNow(claims, this.nowSeconds() + LEEWAY_SECONDS);
    return readSignedToken(token, {
      typ: typOf(purpose),
      findKey: (kid) => this.keys.verificationKey(environmentId, kid),
      read: (claims) => (holds(claims) ? claims : null),
    });
  }

  private issuerOf(environmentId: EnvironmentId): string {
    return issuerOf(this.config.publicUrl, environmentId);
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.timestamp() / 1000);
  }
}

const typOf = (purpose: string): string => `${purpose}+jwt`;
