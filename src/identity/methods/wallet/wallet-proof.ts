import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../../database/index.js';
import type { SignatureVerdict } from '../../messages/smart-accounts.js';
import type { Chain } from '../../vocabulary/chains.js';

/** What a wallet is said to have signed. */
export interface SignedText {
  environmentId: EnvironmentId;
  /** In the one form that the proof gives addresses. */
  address: string;
  text: string;
  signature: string;
  /** The network of the message; null where the chain needs none. */
  networkId: number | null;
}

/** Checks signatures of the wallets of one kind of chain. */
export abstract class WalletProof {
  abstract readonly chains: readonly Chain[];
  /** What messages call an account of the chain: one word of letters. */
  abstract readonly account: string;
  /** Whether a message must name its network. */
  abstract readonly needsNetwork: boolean;

  /** The address in the one form that it is kept in; null when it is not an address of the chain. */
  abstract addressOf(text: string): string | null;

  /** Whether the wallet of the address signed the text. @throws ApiError 503 when only the chain could tell and cannot */
  abstract verify(signed: SignedText): Promise<SignatureVerdict>;
}

/** Who checks the signatures of which chain. */
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
