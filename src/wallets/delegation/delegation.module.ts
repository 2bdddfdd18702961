import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../../organizations/index.js';
import { ClientDelegationKeysController } from './client-delegation-keys.controller.js';
import { DelegationKeyRow } from './delegation-key.entity.js';
import { DelegationKeysController } from './delegation-keys.controller.js';
import { DelegationKeysRepository } from './delegation-keys.repository.js';
import { DelegationKeysService } from './delegation-keys.service.js';

/** Keys that shares of users are sealed to for the servers of their team. */
@Module({
  imports: [TypeOrmModule.forFeature([DelegationKeyRow]), OrganizationsModule],
  controllers: [DelegationKeysController, ClientDelegationKeysController],
  providers: [DelegationKeysRepository, DelegationKeysService],
})
export class DelegationModule {}
