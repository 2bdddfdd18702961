import { Get } from '@nestjs/common';
import { Environment, Public, RATE_RULES, RateLimited, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { NonceStore } from './nonce-store.js';
import { NonceResponse } from './nonce.dto.js';

@ApiController('sdk/:environmentId/nonce', 'Sdk')
export class NoncesController {
  constructor(private readonly nonces: NonceStore) {}

  @Get()
  @Operation({
    id: 'getNonce',
    summary: 'Issue a nonce for a message to be signed',
    errors: [429],
    limits: ['10 calls a minute for each client address', 'A nonce is good once, for 5 minutes'],
  })
  @Public()
  @RateLimited(RATE_RULES.nonce)
  @Returns(NonceResponse)
  async getNonce(@Environment() environmentId: EnvironmentId) {
    return { nonce: await this.nonces.issue(environmentId) };
  }
}
