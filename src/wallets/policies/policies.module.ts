import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustodyModule } from '../../custody/index.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { HeldWalletsRepository } from '../signing/held-wallets.repository.js';
import { PoliciesController } from './policies.controller.js';
import { PoliciesRepository } from './policies.repository.js';
import { PoliciesService } from './policies.service.js';
import { PastTotalsRepository } from './past-totals.repository.js';
import { SigningPolicyPastTotal, SigningPolicyRow, SigningPolicyRuleRow, SigningPolicyTotal } from './policy.entity.js';
import { PolicyGuard } from './policy-guard.js';
import { PolicyRulesRepository } from './policy-rules.repository.js';
import { PolicyTrialService } from './policy-trial.service.js';

/** What the wallets of an environment may sign, as set by its team. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SigningPolicyRow, SigningPolicyRuleRow, SigningPolicyTotal, SigningPolicyPastTotal]),
    CustodyModule,
    OrganizationsModule,
  ],
  controllers: [PoliciesController],
  providers: [
    HeldWalletsRepository,
    PoliciesRepository,
    PoliciesService,
    PolicyGuard,
    PolicyRulesRepository,
    PolicyTrialService,
    PastTotalsRepository,
  ],
  exports: [PastTotalsRepository],
})
export class PoliciesModule {}
