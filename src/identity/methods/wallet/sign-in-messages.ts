import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { Clock } from '../../../common/clock.js';
import type { EnvironmentId } from '../../../database/index.js';
import { EnvironmentSettingsReader, OriginPolicy } from '../../../environments/index.js';
import { enabledNetworks, mainNetworks, networkOf } from './message-networks.js';
import { invalidSignInMessage } from '../../messages/message.errors.js';
import { originOf, problemOf } from '../../messages/message-rules.js';
import { parseSignInMessage, type SignInMessage } from '../../messages/sign-in-message.js';
import type { VerifyRequest } from './wallet.dto.js';
import { chainNotEnabled, chainNotSupported, invalidWalletAddress } from './wallet.errors.js';
import { WalletProofs, type WalletProof } from './wallet-proof.js';

export type WalletClaim = Pick<
  VerifyRequest,
  'messageToSign' | 'signedMessage' | 'publicWalletAddress' | 'chain' | 'network'
>;

/** A valid message, whose signature is not verified yet. */
export interface ReadMessage {
  proof: WalletProof;
  address: string;
  networkId: number | null;
  nonce: string;
}

/** Parses the message a wallet supposedly signed, and checks every field against the environment. */
@Injectable()
export class SignInMessages {
  constructor(
    private readonly proofs: WalletProofs,
    private readonly settings: EnvironmentSettingsReader,
    private readonly origins: OriginPolicy,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 422 with the reason */
  async read(environmentId: EnvironmentId, claim: WalletClaim, client: ClientOrigin): Promise<ReadMessage> {
    const proof = this.proofs.find(claim.chain);
    if (!proof) throw chainNotSupported();
    const address = proof.addressOf(claim.publicWalletAddress);
    if (address === null) throw invalidWalletAddress();
    const message = parseSignInMessage(claim.messageToSign);
    const terms = {
      now: this.clock.now(),
      account: proof.account,
      address,
      addressOf: (text: string) => proof.addressOf(text),
      origin: client.origin,
    };
    const problem = problemOf(message, terms);
    if (problem !== null) throw invalidSignInMessage({ hint: problem });
    const networkId = await this.networkOf(environmentId, claim, message, proof);
    if (!(await this.origins.allows(environmentId, originOf(message.uri)!)))
      throw invalidSignInMessage({ hint: 'The domain is not a registered origin of the environment.' });
    return { proof, address, networkId, nonce: message.nonce };
  }

  /** The network on which message and request agree, among those the environment has enabled. */
  private async networkOf(
    environmentId: EnvironmentId,
    { chain, network }: WalletClaim,
    { chainId }: SignInMessage,
    { needsNetwork }: WalletProof,
  ): Promise<number | null> {
    const { chains } = await this.settings.get(environmentId);
    const enabled = enabledNetworks(chains, chain);
    if (enabled === null) throw chainNotEnabled();
    if (chainId === null) {
      if (needsNetwork) throw invalidSignInMessage({ hint: 'The line "Chain ID: …" is not where it belongs.' });
      return null;
    }
    const among = needsNetwork || enabled.length > 0 ? enabled : mainNetworks(chain);
    const networkId = networkOf(chain, chainId, among);
    if (networkId === null) throw chainNotEnabled();
    if (network && networkOf(chain, network, among) !== networkId)
      throw invalidSignInMessage({ hint: '"Chain ID" is not the network of the request.' });
    return networkId;
  }
}
