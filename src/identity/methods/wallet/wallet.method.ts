import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { Clock } from '../../../common/clock.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { Proof } from '../../flows/proofs/proof.js';
import { OneAnswerMethod, SignInMethods } from '../../flows/proofs/sign-in-method.js';
import { invalidNonce, invalidWalletSignature } from '../../messages/message.errors.js';
import { NonceStore } from '../../nonces/nonce-store.js';
import { AccountNetworks } from './account-networks.js';
import { SignInMessages, type WalletClaim } from './sign-in-messages.js';
import type { VerifyRequest } from './wallet.dto.js';

/** RFC 8176 §2: proof of possession of a key. */
const WALLET_AMR = 'pop';

export type WalletAnswer = WalletClaim &
  Pick<VerifyRequest, 'walletName' | 'walletProvider' | 'additionalWalletAddresses'>;

/** A signed message proves the wallet that signed it, both at sign-in and when linking another wallet. */
@Injectable()
export class WalletMethod extends OneAnswerMethod<WalletAnswer> implements OnModuleInit {
  readonly name = 'wallet';
  readonly proves = ['blockchain'] as const;

  constructor(
    private readonly messages: SignInMessages,
    private readonly nonces: NonceStore,
    private readonly networks: AccountNetworks,
    private readonly methods: SignInMethods,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    this.methods.register(this);
  }

  override async prove(environmentId: EnvironmentId, answer: WalletAnswer, client: ClientOrigin): Promise<Proof> {
    const { proof, address, networkId, nonce } = await this.messages.read(environmentId, answer, client);
    const { messageToSign: text, signedMessage: signature } = answer;
    const verdict = await proof.verify({ environmentId, address, text, signature, networkId });
    if (!verdict) throw invalidWalletSignature();
    const contractNetwork = verdict === 'byContract' ? networkId : null;
    const { chain, walletName, walletProvider, additionalWalletAddresses: others } = answer;
    return {
      identifiers: [
        {
          identifier: { kind: 'wallet', value: address, chain },
          strength: 'proven',
          credential: {
            contractNetwork,
            walletName,
            walletProvider,
            // Only stated by the client: displayed, and never used to identify anybody.
            ...(others && { walletAdditionalAddresses: others.map((additional) => ({ ...additional })) }),
          },
        },
      ],
      assurance: { amr: [WALLET_AMR], factor: 'possession', at: this.clock.now() },
      redeem: async (tx) => {
        await this.networks.assertSame(environmentId, { value: address, chain }, contractNetwork, tx);
        if (!(await this.nonces.consume(environmentId, nonce, tx))) throw invalidNonce();
      },
      assertUnused: async (tx) => {
        await this.networks.assertSame(environmentId, { value: address, chain }, contractNetwork, tx);
        if (!(await this.nonces.isLive(environmentId, nonce, tx))) throw invalidNonce();
      },
    };
  }
}
