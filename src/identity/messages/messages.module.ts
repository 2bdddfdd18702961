import { Module } from '@nestjs/common';
import { NetworksModule } from '../../networks/index.js';
import { EvmSignatures } from './evm-signatures.js';
import { SmartAccounts } from './smart-accounts.js';

/** Signed sign-in messages, shared by the methods that use them. */
@Module({ imports: [NetworksModule], providers: [EvmSignatures, SmartAccounts], exports: [EvmSignatures] })
export class MessagesModule {}
