import { Injectable } from '@nestjs/common';
import { OrganizationDirectory } from '../organization-directory.js';
import { ApiTokensRepository, type RecognizedApiToken } from './api-tokens.repository.js';
import { TOKEN_PREFIX } from './opaque-token.js';
import { PresentedTokens } from './presented-tokens.js';

/** Environment API tokens as presented in requests. */
@Injectable()
export class EnvironmentTokens extends PresentedTokens<RecognizedApiToken> {
  constructor(tokens: ApiTokensRepository, directory: OrganizationDirectory) {
    super(TOKEN_PREFIX.environment, {
      touch: (token) => tokens.touch(token),
      async recognize(hash) {
        const found = await tokens.recognize(hash);
        if (found) {
          const { environmentId: id, kind, organizationId, enforcesSso } = found;
          directory.remember({ id, kind, organizationId, enforcesSso });
        }
        return found;
      },
    });
  }
}
