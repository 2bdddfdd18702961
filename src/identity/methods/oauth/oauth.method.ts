import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import type { EnvironmentId } from '../../../database/index.js';
import { normaliseEmail } from '../../credentials/identifiers.js';
import type { Proof } from '../../flows/proofs/proof.js';
import { SignInMethod, SignInMethods, type ElevatingCredential } from '../../flows/proofs/sign-in-method.js';
import { OauthAnswers, type OauthAnswer } from './oauth-answers.service.js';
import { OauthPeers } from './oauth-peers.js';
import { OauthTokenStore } from './tokens/oauth-token-store.js';
import type { ProvenAccount } from './tokens/oauth-tokens.repository.js';
import { SealedTokens, type ProviderTokens } from './tokens/sealed-tokens.js';
import { SINGLE_SIGN_ON_AMR } from '../../vocabulary/factors.js';
import { identifiersOf } from './oauth-identifiers.js';

/** RFC 8176 has no name for a third-party assertion; this is the common one. */
export const OAUTH_AMR = 'fed';

/** Proves an account at a social provider, asserted by the provider to this service and for this attempt. */
@Injectable()
export class OauthMethod extends SignInMethod<OauthAnswer> implements OnModuleInit {
  readonly name = 'oauth';
  readonly proves = ['oauth'] as const;

  constructor(
    private readonly answers: OauthAnswers,
    private readonly peers: OauthPeers,
    private readonly sealed: SealedTokens,
    private readonly store: OauthTokenStore,
    private readonly methods: SignInMethods,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    this.methods.register(this);
  }

  override canElevate(environmentId: EnvironmentId, credential: ElevatingCredential): Promise<boolean> {
    const { oauth_provider: provider = '', oauth_connection_id: connection } = credential;
    return this.peers.isOpen(environmentId, provider, connection);
  }

  override async prove(environmentId: EnvironmentId, answer: OauthAnswer): Promise<Proof> {
    const identity = await this.answers.redeem(environmentId, answer);
    const { directory } = identity;
    // An email that this service considers invalid is ignored.
    const email = identity.email !== null && normaliseEmail(identity.email) ? identity.email : null;
    const tokens = identity.tokens && (await this.sealedOf(environmentId, answer.provider, identity, identity.tokens));
    return {
      identifiers: identifiersOf(answer.provider, { ...identity, email }),
      assurance: {
        amr: directory === null ? [OAUTH_AMR] : [OAUTH_AMR, SINGLE_SIGN_ON_AMR],
        factor: 'possession',
        at: this.clock.now(),
        ...(directory !== null && { voucher: { directory } }),
      },
      ...(tokens && { kept: { store: this.store, tokens } }),
      // The attempt was removed before the provider was asked, which is possible once per code.
      redeem: () => Promise.resolve(),
    };
  }

  private async sealedOf(
    environmentId: EnvironmentId,
    provider: string,
    account: ProvenAccount,
    given: ProviderTokens,
  ): ReturnType<SealedTokens['seal']> {
    const tokens = await this.store.complete(environmentId, provider, account, given);
    return this.sealed.seal(environmentId, provider, tokens);
  }

  /** The account only: the user has an email already, and the provider's does not replace it. */
  override async link(environmentId: EnvironmentId, answer: OauthAnswer): Promise<Proof> {
    const proof = await this.prove(environmentId, answer);
    return { ...proof, identifiers: [proof.identifiers[0]] };
  }
}
