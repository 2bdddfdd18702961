import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Envelope } from './envelope.js';
import { KeyVault } from './key-vault.js';
import { SealedRecordsRegistry } from './sealed-records.js';

@Global()
@Module({})
export class VaultModule {
  static forRoot(vault: KeyVault): DynamicModule {
    return {
      module: VaultModule,
      providers: [{ provide: KeyVault, useValue: vault }, Envelope, SealedRecordsRegistry],
      exports: [KeyVault, Envelope, SealedRecordsRegistry],
    };
  }
}
