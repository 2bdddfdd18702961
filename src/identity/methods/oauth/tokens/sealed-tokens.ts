import { Injectable } from '@nestjs/common';
import { newId } from '../../../../common/ids.js';
import { Clock } from '../../../../common/clock.js';
import type { SocialIdentity } from '../../../../providers/index.js';
import { Envelope, type SealContext } from '../../../../vault/index.js';
import type { OauthToken } from './oauth-token.entity.js';

export type ProviderTokens = NonNullable<SocialIdentity['tokens']>;
type Sealed = Pick<OauthToken, 'id' | 'provider' | 'sealedTokens' | 'masterKeyId' | 'expiresAt'>;
type Place = Pick<OauthToken, 'environmentId' | 'id' | 'provider'>;

/** Ten years: an expiry beyond the range of dates is no reason to refuse a sign-in. */
const MOST_SECONDS = 315_360_000;

/** Binds sealed tokens to their own row. The user is not part of it: at a first sign-in there is none yet. */
export const oauthTokenContext = ({ environmentId, id, provider }: Place): SealContext => ({
  purpose: 'oauth-token',
  environmentId,
  subjectId: id,
  kind: provider,
});

/** Provider tokens: in the clear only while in use, sealed everywhere else. */
@Injectable()
export class SealedTokens {
  constructor(
    private readonly envelope: Envelope,
    private readonly clock: Clock,
  ) {}

  /** Seals before the transaction begins, as the vault may be remote. */
  async seal(environmentId: string, provider: string, tokens: ProviderTokens): Promise<Sealed> {
    const place = { environmentId, id: newId(), provider };
    const { accessToken, refreshToken, expiresInSeconds } = tokens;
    const text = JSON.stringify({ accessToken, refreshToken });
    const sealedTokens = await this.envelope.seal(Buffer.from(text), oauthTokenContext(place));
    const seconds = expiresInSeconds === null ? null : Math.min(expiresInSeconds, MOST_SECONDS);
    const expiresAt = seconds === null ? null : new Date(this.clock.now().getTime() + seconds * 1_000);
    return { id: place.id, provider, sealedTokens, masterKeyId: this.envelope.keyIdOf(sealedTokens), expiresAt };
  }

  async open(
    row: Place & Pick<OauthToken, 'sealedTokens'>,
  ): Promise<Pick<ProviderTokens, 'accessToken' | 'refreshToken'>> {
    const bytes = await this.envelope.open(row.sealedTokens, oauthTokenContext(row));
    try {
      return JSON.parse(bytes.expose().toString()) as Pick<ProviderTokens, 'accessToken' | 'refreshToken'>;
    } finally {
      bytes.wipe();
    }
  }

  async rewrap(
    row: Place & Pick<OauthToken, 'sealedTokens'>,
  ): Promise<Pick<OauthToken, 'sealedTokens' | 'masterKeyId'>> {
    const sealedTokens = (await this.envelope.rewrap(row.sealedTokens, oauthTokenContext(row))) ?? row.sealedTokens;
    return { sealedTokens, masterKeyId: this.envelope.keyIdOf(sealedTokens) };
  }
}
