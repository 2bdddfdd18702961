import { Injectable } from '@nestjs/common';
import type { AuthorizedRequest } from '../../auth/index.js';
import { Config } from '../../config/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader, OriginPolicy } from '../../environments/index.js';
import { mayUseCookie } from './cookie-request.js';
import { crossSiteRequest } from './session.errors.js';

/** Accepts the session cookie if the environment enables it, and only from allowed origins. */
@Injectable()
export class CookieGuard {
  private readonly ownOrigin: string;

  constructor(
    private readonly settings: EnvironmentSettingsReader,
    private readonly origins: OriginPolicy,
    config: Config,
  ) {
    this.ownOrigin = new URL(config.publicUrl).origin;
  }

  /**
   * @returns false in an environment without cookie mode.
   * @throws 403 for a request that another site may have caused
   */
  async admits(environmentId: EnvironmentId, request: AuthorizedRequest): Promise<boolean> {
    const { security } = await this.settings.get(environmentId);
    if (!security.auth?.storage.includes('cookie')) return false;
    const { method, headers } = request;
    const isOurs = await mayUseCookie(
      { method, origin: headers.origin, contentType: headers['content-type'] },
      (origin) => origin === this.ownOrigin || this.origins.allows(environmentId, origin),
    );
    if (!isOurs) throw crossSiteRequest();
    return true;
  }
}
