import { Get } from '@nestjs/common';
import { Environment, Public, RATE_RULES, RateLimited, type EnvironmentId } from '../../../auth/index.js';
import { ApiController, Operation, Returns } from '../../../common/http/operation.js';
import { CaptchaChallengeResponse } from './captcha.dto.js';
import { ProofOfWork } from './proof-of-work.js';

@ApiController('sdk/:environmentId/captcha', 'Sdk')
export class CaptchaController {
  constructor(private readonly work: ProofOfWork) {}

  @Get('challenge')
  @Operation({
    id: 'getCaptchaChallenge',
    noHead: true,
    summary: 'Issue a proof-of-work challenge, for environments whose captcha has no vendor',
    description:
      'In the format of the ALTCHA widget. `captchaToken` is the base64 of `{"challenge", "solution": {"counter"}}`.',
    limits: ['10 calls per minute and client address', 'A challenge is single-use and expires after 5 minutes'],
  })
  @Public()
  @RateLimited(RATE_RULES.nonce)
  @Returns(CaptchaChallengeResponse)
  getCaptchaChallenge(@Environment() environmentId: EnvironmentId) {
    return this.work.challenge(environmentId);
  }
}
