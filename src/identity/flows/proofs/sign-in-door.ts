import { Injectable } from '@nestjs/common';
import { RATE_RULES, RateLimiter, type ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { Captcha } from '../captcha/captcha.js';
import { SignInMethods, type SignInMethod } from './sign-in-method.js';

/** What stands before every proof, whatever the method: the limit of sign-ins, then the captcha. */
@Injectable()
export class SignInDoor {
  constructor(
    private readonly methods: SignInMethods,
    private readonly limiter: RateLimiter,
    private readonly captcha: Captcha,
  ) {}

  /** @throws ApiError 429 after ten calls in a minute from one address, 403 or 503 for the captcha */
  async pass(
    environmentId: EnvironmentId,
    method: SignInMethod<never, never>,
    { client, captchaToken }: { client: ClientOrigin; captchaToken?: string | undefined },
  ): Promise<void> {
    this.methods.assertRegistered(method);
    await this.limiter.assertWithin(RATE_RULES.signIn, client);
    await this.captcha.assertPassed(environmentId, captchaToken, client);
  }
}
