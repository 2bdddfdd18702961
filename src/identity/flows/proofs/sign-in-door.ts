import { Injectable } from '@nestjs/common';
import { RATE_RULES, RateLimiter, type ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { NewCredential } from '../../credentials/new-credential.js';
import { WalletChecks } from '../../users/wallet-checks.js';
import { Captcha } from '../captcha/captcha.js';
import type { Proof } from './proof.js';
import { SignInMethods, type SignInMethod } from './sign-in-method.js';

/** What stands before every proof, whatever the method: the limit of sign-ins, then the captcha; and behind a proof that links. */
@Injectable()
export class SignInDoor {
  constructor(
    private readonly methods: SignInMethods,
    private readonly limiter: RateLimiter,
    private readonly captcha: Captcha,
    private readonly wallets: WalletChecks,
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

  /**
   * Behind a proof, and before anything becomes somebody's. At a sign-in the rules about the user ask the same.
   * @throws ApiError 403 of a rule about wallets
   */
  async assertLinkable(environmentId: EnvironmentId, userId: string, { identifiers }: Proof): Promise<void> {
    const addresses = identifiers.flatMap(({ identifier: { kind, value }, credential }) =>
      kind === 'wallet' ? [value, ...additionalAddressesOf(credential)] : [],
    );
    await this.wallets.assertAdmitted(environmentId, addresses, userId);
  }
}

const additionalAddressesOf = (credential?: Partial<NewCredential>): string[] =>
  ((credential?.walletAdditionalAddresses ?? []) as { address: string }[]).map(({ address }) => address);
