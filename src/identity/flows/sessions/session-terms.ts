import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../../database/index.js';
import { EnvironmentSettingsReader, jwtTtlSeconds } from '../../../environments/index.js';
import type { SessionTerms } from '../../sessions/session-issuer.js';

export interface IssueTerms extends SessionTerms {
  /** Whether tokens go into a cookie instead of the body. */
  asCookie: boolean;
}

/** The session settings of an environment. Must be read before a transaction begins. */
@Injectable()
export class SessionTermsReader {
  constructor(private readonly settings: EnvironmentSettingsReader) {}

  async read(environmentId: EnvironmentId): Promise<IssueTerms> {
    const settings = await this.settings.get(environmentId);
    return {
      tokenTtlSeconds: jwtTtlSeconds(settings),
      collectIp: settings.privacy.collectIp === true,
      asCookie: settings.security.auth?.storage.includes('cookie') === true,
    };
  }
}
