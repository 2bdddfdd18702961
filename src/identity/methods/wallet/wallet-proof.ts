import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../../database/index.js';
import type { SignatureVerdict } from '../../messages/smart-accounts.js';
import type { Chain } from '../../vocabulary/chains.js';

/** The text a wallet supposedly signed. */
export interface SignedText {
  environmentId: EnvironmentId;
  /** In canonical form, from `addressOf`. */
  address: string;
  text: string;
  signature: string;
  /** The message's network; null if the chain needs none. */
  networkId: number | null;
}

/** Verifies wallet signatures of one kind of chain. */
export abstract class WalletProof {
  abstract readonly chains: readonly Chain[];
  /** The chain's word for an account in messages: one word of letters. */
  abstract readonly account: string;
  /** Whether a message must name its network. */
  abstract readonly needsNetwork: boolean;

  /** The address in canonical form; null if it is not an address of the chain. */
  abstract addressOf(text: string): string | null;

  /**
   * Whether the address's wallet signed the text.
   * @throws ApiError 503 if this needs the chain, which is unavailable
   */
  abstract verify(signed: SignedText): Promise<SignatureVerdict>;
}

/** The proofs by chain. */
@Injectable()
export class WalletProofs {
  private readonly proofs = new Map<Chain, WalletProof>();

  register(proof: WalletProof): void {
    for (const chain of proof.chains) {
      if (this.proofs.has(chain)) throw new Error(`Two proofs of ${chain} are registered.`);
      this.proofs.set(chain, proof);
    }
  }

  find(chain: Chain): WalletProof | null {
    return this.proofs.get(chain) ?? null;
  }
}
