import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Envelope } from './envelope.js';
import { KeyVault } from './key-vault.js';
import { SealedRecordsRegistry } from './sealed-records.js';
import { SIGNER_CALLS, type SignerCalls } from './signer-calls.js';

@Global()
@Module({})
export class VaultModule {
  /** @param signer the process where secrets of wallets are open, where it is another one */
  static forRoot(vault: KeyVault, signer: SignerCalls | null = null): DynamicModule {
    return {
      module: VaultModule,
      providers: [
        { provide: KeyVault, useValue: vault },
        { provide: SIGNER_CALLS, useValue: signer },
        { provide: Envelope, inject: [KeyVault], useFactory: (keys: KeyVault) => new Envelope(keys) },
        SealedRecordsRegistry,
      ],
      exports: [KeyVault, SIGNER_CALLS, Envelope, SealedRecordsRegistry],
    };
  }
}
