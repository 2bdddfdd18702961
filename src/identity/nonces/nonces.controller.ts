import { Get, Query } from '@nestjs/common';
import { Environment, Public, RATE_RULES, RateLimited, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { NonceStore } from './nonce-store.js';
import { DEFAULT_NONCES, NonceResponse, NoncesQuery, NoncesResponse } from './nonce.dto.js';

@ApiController('sdk/:environmentId', 'Sdk')
export class NoncesController {
  constructor(private readonly nonces: NonceStore) {}

  @Get('nonce')
  @Operation({
    id: 'getNonce',
    noHead: true,
    summary: 'Issue a nonce for a message to be signed',
    limits: ['10 calls per minute and client address', 'A nonce is single-use and expires after 5 minutes'],
  })
  @Public()
  @RateLimited(RATE_RULES.nonce)
  @Returns(NonceResponse)
  async getNonce(@Environment() environmentId: EnvironmentId) {
    return { nonce: await this.nonces.issue(environmentId) };
  }

  @Get('nonces')
  @Operation({
    id: 'getNonces',
    noHead: true,
    summary: 'Issue several nonces at once, for messages to be signed',
    limits: [
      '10 calls per minute and client address, together with getNonce',
      'A nonce is single-use and expires after 5 minutes',
    ],
  })
  @Public()
  @RateLimited(RATE_RULES.nonce)
  @Returns(NoncesResponse)
  async getNonces(@Environment() environmentId: EnvironmentId, @Query() { count = DEFAULT_NONCES }: NoncesQuery) {
    return { nonces: await this.nonces.issueMany(environmentId, count) };
  }
}
