import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustodyModule } from '../../src/custody/index.js';
import { EnvironmentRows } from '../../src/database/index.js';
import { MovingModule } from '../../src/moving/index.js';
import { Jobs } from '../../src/queue/index.js';
import { KeyVendor } from './key-vendor.js';
import { VendorCustodian } from './vendor-custodian.js';
import { VendorKeysRow } from './vendor-keys.entity.js';
import { VendorKeysMoving } from './vendor-keys.moving.js';
import { VendorKeysShredder } from './vendor-keys-shredder.job.js';
import { VendorKeysRepository } from './vendor-keys.repository.js';

@Module({})
export class VendorCustodianModule {
  static with(vendor: KeyVendor): DynamicModule {
    return {
      module: VendorCustodianModule,
      imports: [CustodyModule, MovingModule, TypeOrmModule.forFeature([VendorKeysRow])],
      providers: [
        { provide: KeyVendor, useValue: vendor },
        {
          provide: VendorKeysShredder,
          inject: [VendorKeysRepository, Jobs, EnvironmentRows],
          useFactory: (...[keys, jobs, rows]: [VendorKeysRepository, Jobs, EnvironmentRows]) =>
            new VendorKeysShredder({ version: 'V3', destroy: (name) => vendor.destroy(name) }, keys, jobs, rows),
        },
        VendorKeysMoving,
        VendorKeysRepository,
        VendorCustodian,
      ],
    };
  }
}
