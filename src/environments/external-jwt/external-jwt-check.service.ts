import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import type { ExternalJwtCheckResponse } from './external-jwt.dto.js';
import { ExternalTokens } from './external-tokens.js';

/** Shows a team what is wrong with its issuer's tokens. */
@Injectable()
export class ExternalJwtCheck {
  constructor(private readonly tokens: ExternalTokens) {}

  async check(environmentId: EnvironmentId, encodedJwt: string): Promise<ExternalJwtCheckResponse> {
    const { faults } = await this.tokens.verify(environmentId, encodedJwt);
    return { valid: faults.length === 0, errors: faults };
  }
}
