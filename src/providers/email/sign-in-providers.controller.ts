import { Body, Get, Post, Query } from '@nestjs/common';
import { Environment, Public, RATE_RULES, RateLimited, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import {
  EmailProviderQuery,
  EmailProviderResponse,
  SsoProviderCheckRequest,
  SsoProviderCheckResponse,
} from './sign-in-providers.dto.js';
import { SignInProvidersService } from './sign-in-providers.service.js';

const LIMITS = ['10 calls per minute and client address'];

@ApiController('sdk/:environmentId', 'Sdk')
export class SignInProvidersController {
  constructor(private readonly providers: SignInProvidersService) {}

  @Get('emailProvider')
  @Operation({
    id: 'getEmailProvider',
    summary: 'Show which email sign-in provider serves an address',
    description: 'The answer is the same for every address, so it does not reveal whether the address is known.',
    errors: [422],
    limits: LIMITS,
  })
  @Public()
  @RateLimited(RATE_RULES.signIn)
  @Returns(EmailProviderResponse)
  getEmailProvider(@Environment() environmentId: EnvironmentId, @Query() _query: EmailProviderQuery) {
    return this.providers.emailProvider(environmentId);
  }

  @Post('ssoProvider')
  @Operation({
    id: 'checkSsoProvider',
    summary: 'Check by email domain whether a one-time code or SSO applies',
    description:
      "SSO applies to addresses of the domain that the environment's own organization has proven; setups of other organizations do not count. At the console it applies to members of any organization that has proven their domain. Start with initAuth at `provider`, with `id` as `ssoProviderId`. Where SSO does not apply and sign-in by email is off, the answer is 422 `no_enabled_email_provider`.",
    errors: [422],
    limits: LIMITS,
  })
  @Public()
  @RateLimited(RATE_RULES.signIn)
  @Returns(SsoProviderCheckResponse)
  checkSsoProvider(@Environment() environmentId: EnvironmentId, @Body() { email }: SsoProviderCheckRequest) {
    return this.providers.ssoFor(environmentId, email);
  }
}
