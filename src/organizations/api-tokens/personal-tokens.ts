import { Injectable } from '@nestjs/common';
import { TOKEN_PREFIX } from './opaque-token.js';
import { PersonalTokensRepository, type RecognizedPersonalToken } from './personal-tokens.repository.js';
import { PresentedTokens } from './presented-tokens.js';

/** Personal tokens of members as presented in requests. */
@Injectable()
export class PersonalTokens extends PresentedTokens<RecognizedPersonalToken> {
  constructor(tokens: PersonalTokensRepository) {
    super(TOKEN_PREFIX.personal, tokens);
  }
}
