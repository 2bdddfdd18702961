import { Module } from '@nestjs/common';
import { Drain } from '../common/http/drain.js';
import { HealthController } from './health.controller.js';
import { Opening } from './opening.js';
import { ReadinessRepository } from './readiness.repository.js';
import { ReadinessService } from './readiness.service.js';

@Module({ controllers: [HealthController], providers: [Drain, Opening, ReadinessService, ReadinessRepository] })
export class HealthModule {}
