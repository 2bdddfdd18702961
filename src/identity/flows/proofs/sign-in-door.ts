import { Injectable } from '@nestjs/common';
import { RATE_RULES, RateLimiter, type ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { HeldAddresses } from '../../credentials/held-addresses.js';
import { embeddedWalletProvesNobody } from '../../credentials/identifier.errors.js';
import { identifierKeyOf } from '../../credentials/identifier-key.js';
import type { NewCredential } from '../../credentials/new-credential.js';
import { decideLink } from '../../linking/decisions.js';
import { WalletChecks } from '../../users/wallet-checks.js';
import { Captcha } from '../captcha/captcha.js';
import { REFUSALS } from './link-refusals.js';
import type { Proof } from './proof.js';
import { SignInMethods, type SignInMethod } from './sign-in-method.js';

/**
 * The checks before every proof, whatever the method: the sign-in rate limit, then the captcha; and after a proof that
 * links, the rules about wallets.
 */
@Injectable()
export class SignInDoor {
  constructor(
    private readonly methods: SignInMethods,
    private readonly limiter: RateLimiter,
    private readonly captcha: Captcha,
    private readonly wallets: WalletChecks,
    private readonly held: HeldAddresses,
  ) {}

  /** @throws ApiError 429 after ten calls per minute from one IP address, 403 or 503 for the captcha */
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
   * To be called after a proof meant for sign-in.
   * @throws ApiError 422 `embedded_wallet_proves_nobody`
   */
  async assertProves(environmentId: EnvironmentId, proof: Proof): Promise<void> {
    if ((await this.keeperOf(environmentId, proof)) !== null) throw embeddedWalletProvesNobody();
  }

  /**
   * To be called after a proof, before anything is linked. At a sign-in, the rules about the user cover this.
   * @throws ApiError 403 of a rule about wallets, 422 for an embedded wallet, whether the user's or another's
   */
  async assertLinkable(environmentId: EnvironmentId, userId: string, proof: Proof): Promise<void> {
    const keeper = await this.keeperOf(environmentId, proof);
    if (keeper !== null) throw REFUSALS[decideLink('wallet', keeper === userId ? 'caller-embedded' : 'embedded')]!();
    const { identifiers } = proof;
    const addresses = identifiers.flatMap(({ identifier: { kind, value }, credential }) =>
      kind === 'wallet' ? [value, ...additionalAddressesOf(credential)] : [],
    );
    await this.wallets.assertAdmitted(environmentId, addresses, userId);
  }

  /** The user for whom the service keeps the key of a wallet in the proof; null if there is none. */
  private async keeperOf(environmentId: EnvironmentId, { identifiers }: Proof): Promise<string | null> {
    for (const { identifier } of identifiers) {
      const { kind } = identifier;
      if (kind !== 'wallet') continue;
      const keeper = await this.held.userOf(environmentId, identifierKeyOf({ ...identifier, kind }));
      if (keeper !== null) return keeper;
    }
    return null;
  }
}

const additionalAddressesOf = (credential?: Partial<NewCredential>): string[] =>
  ((credential?.walletAdditionalAddresses ?? []) as { address: string }[]).map(({ address }) => address);
