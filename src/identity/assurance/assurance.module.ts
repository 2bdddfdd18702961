import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RecentProofs, StepUp } from '../../auth/index.js';
import { EnvironmentsModule } from '../../environments/index.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { Elevations } from './elevations.js';
import { ProfileRequirement } from './profile.requirement.js';
import { RecentProof } from './recent-proof.js';
import { AssuranceRequirements } from './requirements.js';
import { SessionAssurance } from './session-assurance.js';
import { UsedElevation } from './used-elevation.entity.js';
import { UsedElevationsPurge } from './used-elevations-purge.job.js';
import { UsedElevationsRepository } from './used-elevations.repository.js';

/** The assurance level of a session: outstanding steps, and the freshness of proofs. */
@Module({
  imports: [EnvironmentsModule, TypeOrmModule.forFeature([UsedElevation]), SessionsModule],
  providers: [
    AssuranceRequirements,
    Elevations,
    ProfileRequirement,
    RecentProof,
    SessionAssurance,
    UsedElevationsPurge,
    UsedElevationsRepository,
    { provide: RecentProofs, useExisting: RecentProof },
    { provide: StepUp, useExisting: Elevations },
  ],
  exports: [AssuranceRequirements, Elevations, RecentProof, RecentProofs, SessionAssurance, StepUp],
})
export class AssuranceModule {}
