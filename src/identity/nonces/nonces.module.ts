import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExpiryModule } from '../expiry/expiry.module.js';
import { NonceStore } from './nonce-store.js';
import { Nonce } from './nonce.entity.js';
import { NoncesController } from './nonces.controller.js';
import { NoncesRepository } from './nonces.repository.js';

/** Numbers used once, for messages to be signed. */
@Module({
  imports: [TypeOrmModule.forFeature([Nonce]), ExpiryModule],
  controllers: [NoncesController],
  providers: [NonceStore, NoncesRepository],
  exports: [NonceStore],
})
export class NoncesModule {}
