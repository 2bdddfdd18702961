import { Module, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { EnvironmentsModule } from '../../../environments/index.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { MessagesModule } from '../../messages/messages.module.js';
import { NoncesModule } from '../../nonces/nonces.module.js';
import { CredentialsModule } from '../../credentials/credentials.module.js';
import { AccountNetworks } from './account-networks.js';
import { AlgorandProof } from './proofs/algorand.proof.js';
import { AptosProof } from './proofs/aptos.proof.js';
import { BitcoinProof } from './proofs/bitcoin.proof.js';
import { CosmosProof } from './proofs/cosmos.proof.js';
import { EvmProof } from './proofs/evm.proof.js';
import { SolanaProof } from './proofs/solana.proof.js';
import { SuiProof } from './proofs/sui.proof.js';
import { TronProof } from './proofs/tron.proof.js';
import { SignInMessages } from './sign-in-messages.js';
import { WalletProofs, type WalletProof } from './wallet-proof.js';
import { WalletSignIn } from './wallet-sign-in.service.js';
import { WalletMethod } from './wallet.method.js';
import { WalletsSignInController } from './wallets-sign-in.controller.js';

/** The supported chains; each needs one proof. */
const PROOFS = [EvmProof, SolanaProof, SuiProof, BitcoinProof, CosmosProof, TronProof, AlgorandProof, AptosProof];

/** Sign-in with a message signed by a wallet. */
@Module({
  imports: [CredentialsModule, EnvironmentsModule, FlowsModule, MessagesModule, NoncesModule],
  controllers: [WalletsSignInController],
  providers: [...PROOFS, AccountNetworks, SignInMessages, WalletMethod, WalletProofs, WalletSignIn],
  exports: [WalletProofs],
})
export class WalletMethodModule implements OnModuleInit {
  constructor(
    private readonly proofs: WalletProofs,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    for (const proof of PROOFS) this.proofs.register(this.modules.get<WalletProof>(proof));
  }
}
