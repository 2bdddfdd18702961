import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { Proof } from '../../flows/proofs/proof.js';
import { SignInMethod, SignInMethods } from '../../flows/proofs/sign-in-method.js';
import { LINK_AMR } from '../../vocabulary/factors.js';
import { wrongSignInLink } from './sign-in-link.errors.js';
import { SignInLinksRepository } from './sign-in-links.repository.js';

/** The stored form of a secret. 256 random bits cannot be guessed: a plain hash is enough, and no attempt limit. */
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/**
 * The holder of a link is trusted to be the member it was created for, on the word of the operator, who could change
 * any database row anyway. It is one factor, like an emailed code; a second factor the member has set up is still
 * required.
 */
@Injectable()
export class SignInLinkMethod extends SignInMethod<string, never> implements OnModuleInit {
  readonly name = 'sign-in-link';
  readonly proves = [] as const;

  constructor(
    private readonly links: SignInLinksRepository,
    private readonly methods: SignInMethods,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    this.methods.register(this);
  }

  override async prove(environmentId: EnvironmentId, secret: string): Promise<Proof> {
    const hash = secretHash(secret);
    const email = await this.links.findEmail(environmentId, hash);
    if (email === null) throw wrongSignInLink();
    return {
      identifiers: [{ identifier: { kind: 'email', value: email }, strength: 'proven' }],
      assurance: { amr: [LINK_AMR], factor: 'possession', at: this.clock.now(), voucher: 'operator' },
      redeem: async (tx) => {
        if (!(await this.links.use(environmentId, hash, tx))) throw wrongSignInLink();
      },
    };
  }

  /** Signed-in users need no link. */
  override link(): Promise<Proof> {
    return Promise.reject(wrongSignInLink());
  }
}
