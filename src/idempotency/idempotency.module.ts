import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnswerSeal } from './answer-seal.js';
import { CallPatience } from './call-patience.js';
import { HandedWork } from './handed-work.js';
import { IdempotencyKeyRow } from './idempotency-key.entity.js';
import { IdempotencyGuard } from './idempotency.guard.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotencyPurge } from './idempotency-purge.job.js';
import { KeyedAnswers } from './keyed-answers.js';
import { SealedAnswers } from './sealed-answers.js';
import { SealedAnswersRepository } from './sealed-answers.repository.js';
import { MovingModule } from '../moving/index.js';
import { IdempotencyMoving } from './idempotency.moving.js';

/** `Idempotency-Key`: a retried call takes effect once and gets the same response. */
@Module({
  imports: [DiscoveryModule, MovingModule, TypeOrmModule.forFeature([IdempotencyKeyRow])],
  providers: [
    IdempotencyMoving,
    AnswerSeal,
    CallPatience,
    HandedWork,
    IdempotencyKeysRepository,
    IdempotencyPurge,
    KeyedAnswers,
    SealedAnswers,
    SealedAnswersRepository,
    { provide: APP_GUARD, useClass: IdempotencyGuard },
  ],
})
export class IdempotencyModule {}
