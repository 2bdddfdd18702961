import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustodyModule } from '../../src/custody/index.js';
import { KeyVendor } from './key-vendor.js';
import { VendorCustodian } from './vendor-custodian.js';
import { VendorKeysRow } from './vendor-keys.entity.js';
import { VendorKeysRepository } from './vendor-keys.repository.js';

@Module({})
export class VendorCustodianModule {
  static with(vendor: KeyVendor): DynamicModule {
    return {
      module: VendorCustodianModule,
      imports: [CustodyModule, TypeOrmModule.forFeature([VendorKeysRow])],
      providers: [{ provide: KeyVendor, useValue: vendor }, VendorKeysRepository, VendorCustodian],
      exports: [VendorCustodian],
    };
  }
}
