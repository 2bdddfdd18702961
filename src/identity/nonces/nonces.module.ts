import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NonceStore } from './nonce-store.js';
import { Nonce } from './nonce.entity.js';
import { NoncesPurge } from './nonces-purge.job.js';
import { NoncesController } from './nonces.controller.js';
import { NoncesRepository } from './nonces.repository.js';

/** Nonces for messages to be signed. */
@Module({
  imports: [TypeOrmModule.forFeature([Nonce])],
  controllers: [NoncesController],
  providers: [NonceStore, NoncesPurge, NoncesRepository],
  exports: [NonceStore],
})
export class NoncesModule {}
