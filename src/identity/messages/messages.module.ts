import { Module } from '@nestjs/common';
import { NetworksModule } from '../../networks/index.js';
import { EvmSignatures } from './evm-signatures.js';
import { SmartAccounts } from './smart-accounts.js';

/** Messages that people sign to sign in, for every method that takes them. */
@Module({ imports: [NetworksModule], providers: [EvmSignatures, SmartAccounts], exports: [EvmSignatures] })
export class MessagesModule {}
