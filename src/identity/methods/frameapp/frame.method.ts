import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { Clock } from '../../../common/clock.js';
import type { EnvironmentId } from '../../../database/index.js';
import { EnabledProviders, providerNotAvailable } from '../../../providers/index.js';
import type { Proof } from '../../flows/proofs/proof.js';
import { OneAnswerMethod, SignInMethods } from '../../flows/proofs/sign-in-method.js';
import { invalidNonce } from '../../messages/message.errors.js';
import { NonceStore } from '../../nonces/nonce-store.js';
import { FrameMessages, type FrameAnswer } from './frame-messages.js';

const PROVIDER = 'farcaster';
/** RFC 8176 §2: proof of possession of a key. */
const FRAME_AMR = 'pop';

/** Proves a frame network account with a message signed by its custody address. */
@Injectable()
export class FrameMethod extends OneAnswerMethod<FrameAnswer> implements OnModuleInit {
  readonly name = 'frameapp';
  readonly proves = ['oauth'] as const;

  constructor(
    private readonly providers: EnabledProviders,
    private readonly messages: FrameMessages,
    private readonly nonces: NonceStore,
    private readonly methods: SignInMethods,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** The operations take no `requestedScopes`. */
  override canElevate(): Promise<boolean> {
    return Promise.resolve(false);
  }

  onModuleInit(): void {
    this.methods.register(this);
  }

  override async prove(environmentId: EnvironmentId, answer: FrameAnswer, client: ClientOrigin): Promise<Proof> {
    if (!(await this.providers.find(environmentId, PROVIDER))) throw providerNotAvailable();
    const fid = await this.messages.prove(environmentId, answer, client);
    return {
      identifiers: [{ identifier: { kind: 'socialAccountId', provider: PROVIDER, value: fid }, strength: 'proven' }],
      assurance: { amr: [FRAME_AMR], factor: 'possession', at: this.clock.now() },
      redeem: async (tx) => {
        if (!(await this.nonces.consume(environmentId, answer.nonce, tx))) throw invalidNonce();
      },
    };
  }
}
