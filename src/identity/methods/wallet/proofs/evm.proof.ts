import { Injectable } from '@nestjs/common';
import { EvmSignatures, evmAddressOf } from '../../../messages/evm-signatures.js';
import type { SignatureVerdict } from '../../../messages/smart-accounts.js';
import { WalletProof, type SignedText } from '../wallet-proof.js';

/** EVM wallets: keys, and contracts on the message's network. */
@Injectable()
export class EvmProof extends WalletProof {
  readonly chains = ['EVM', 'ETH'] as const;
  readonly account = 'Ethereum';
  readonly needsNetwork = true;

  constructor(private readonly signatures: EvmSignatures) {
    super();
  }

  override addressOf(text: string): string | null {
    return evmAddressOf(text);
  }

  override async verify({ networkId, ...signed }: SignedText): Promise<SignatureVerdict> {
    return networkId !== null && this.signatures.verify({ ...signed, networkId });
  }
}
