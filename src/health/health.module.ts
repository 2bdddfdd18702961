import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { ReadinessRepository } from './readiness.repository.js';
import { ReadinessService } from './readiness.service.js';

@Module({ controllers: [HealthController], providers: [ReadinessService, ReadinessRepository] })
export class HealthModule {}
