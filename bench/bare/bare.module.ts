import { Module, type DynamicModule } from '@nestjs/common';
import { Pool } from 'pg';
import { BareController } from './bare.controller.js';
import { DoorsController } from './doors.controller.js';
import { BARE_SETUP, type BareSetup } from './setup.js';
import { Signatures } from './signatures.js';
import { SignedIn } from './signed-in.js';

@Module({})
export class BareModule {
  static forRoot(setup: BareSetup): DynamicModule {
    return {
      module: BareModule,
      controllers: [BareController, DoorsController],
      providers: [
        { provide: BARE_SETUP, useValue: setup },
        { provide: Pool, useFactory: () => new Pool({ connectionString: setup.databaseUrl, max: setup.pool }) },
        { provide: Signatures, useFactory: () => new Signatures(setup) },
        {
          provide: SignedIn,
          useFactory: (signatures: Signatures) => new SignedIn(signatures, setup),
          inject: [Signatures],
        },
      ],
    };
  }
}
