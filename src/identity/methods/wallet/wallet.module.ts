import { Module, type OnModuleInit } from '@nestjs/common';
import { EnvironmentsModule } from '../../../environments/index.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { MessagesModule } from '../../messages/messages.module.js';
import { NoncesModule } from '../../nonces/nonces.module.js';
import { BitcoinProof } from './proofs/bitcoin.proof.js';
import { EvmProof } from './proofs/evm.proof.js';
import { SolanaProof } from './proofs/solana.proof.js';
import { SuiProof } from './proofs/sui.proof.js';
import { SignInMessages } from './sign-in-messages.js';
import { WalletProofs } from './wallet-proof.js';
import { WalletSignIn } from './wallet-sign-in.service.js';
import { WalletMethod } from './wallet.method.js';
import { WalletsSignInController } from './wallets-sign-in.controller.js';

/** Sign-in by a message that a wallet has signed. A chain more is a proof more. */
@Module({
  imports: [EnvironmentsModule, FlowsModule, MessagesModule, NoncesModule],
  controllers: [WalletsSignInController],
  providers: [BitcoinProof, EvmProof, SignInMessages, SolanaProof, SuiProof, WalletMethod, WalletProofs, WalletSignIn],
})
export class WalletMethodModule implements OnModuleInit {
  constructor(
    private readonly proofs: WalletProofs,
    private readonly evm: EvmProof,
    private readonly solana: SolanaProof,
    private readonly sui: SuiProof,
    private readonly bitcoin: BitcoinProof,
  ) {}

  onModuleInit(): void {
    for (const proof of [this.evm, this.solana, this.sui, this.bitcoin]) this.proofs.register(proof);
  }
}
