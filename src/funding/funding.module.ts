import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/index.js';
import { NetworksModule } from '../networks/index.js';
import { UserBalances } from './user-balances.js';
import { UserBalancesController } from './user-balances.controller.js';

/** What users have, and how money reaches them and leaves. */
@Module({
  imports: [IdentityModule, NetworksModule],
  controllers: [UserBalancesController],
  providers: [UserBalances],
})
export class FundingModule {}
