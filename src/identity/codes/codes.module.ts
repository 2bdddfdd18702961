import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlowsModule } from '../flows/flows.module.js';
import { CodeDestination } from './code-destination.entity.js';
import { CodeNetwork } from './code-network.entity.js';
import { CodesPurge } from './codes-purge.job.js';
import { CodeWaits } from './code-waits.js';
import { CodeSignIn } from './code-sign-in.service.js';
import { CodesRepository } from './codes.repository.js';
import { FailureReset } from './failure-reset.js';
import { OneTimeCodes } from './one-time-codes.js';
import { PepperRepository } from './pepper.repository.js';
import { Pepper } from './pepper.js';
import { SealedPepper } from './sealed-pepper.js';

/** One-time codes, whatever the channel. */
@Module({
  imports: [TypeOrmModule.forFeature([CodeDestination, CodeNetwork]), FlowsModule],
  providers: [
    CodesPurge,
    CodesRepository,
    CodeSignIn,
    CodeWaits,
    FailureReset,
    OneTimeCodes,
    Pepper,
    PepperRepository,
    SealedPepper,
  ],
  exports: [CodeSignIn, OneTimeCodes],
})
export class CodesModule {}
