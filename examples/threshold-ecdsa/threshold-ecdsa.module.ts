import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustodyModule, ThresholdEcdsa } from '../../src/custody/index.js';
import { EnvironmentRows } from '../../src/database/index.js';
import { MovingModule } from '../../src/moving/index.js';
import { OutboundHttp, OutboundModule } from '../../src/outbound/index.js';
import { Jobs } from '../../src/queue/index.js';
import {
  VendorKeysMoving,
  VendorKeysRepository,
  VendorKeysRow,
  VendorKeysShredder,
} from '../vendor-custodian/index.js';
import { HttpThresholdEcdsa, type EcdsaServiceSettings } from './http-threshold-ecdsa.js';
import { ThresholdEcdsaCustodian } from './threshold-ecdsa-custodian.js';

@Module({})
export class ThresholdEcdsaModule {
  static with(settings: EcdsaServiceSettings): DynamicModule {
    return {
      module: ThresholdEcdsaModule,
      imports: [CustodyModule, MovingModule, OutboundModule, TypeOrmModule.forFeature([VendorKeysRow])],
      providers: [
        {
          provide: ThresholdEcdsa,
          inject: [OutboundHttp],
          useFactory: (http: OutboundHttp) => new HttpThresholdEcdsa(http, settings),
        },
        {
          provide: VendorKeysShredder,
          inject: [ThresholdEcdsa, VendorKeysRepository, Jobs, EnvironmentRows],
          useFactory: (...[service, keys, jobs, rows]: [ThresholdEcdsa, VendorKeysRepository, Jobs, EnvironmentRows]) =>
            new VendorKeysShredder(
              { version: 'external', destroy: (name) => service.destroyKey(name) },
              keys,
              jobs,
              rows,
            ),
        },
        VendorKeysMoving,
        VendorKeysRepository,
        ThresholdEcdsaCustodian,
      ],
    };
  }
}
