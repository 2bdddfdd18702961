import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialWriter } from './credential-writer.js';
import { Credential } from './credential.entity.js';
import { CredentialsRepository } from './credentials.repository.js';
import { IdentifierClaim } from './identifier-claim.entity.js';
import { IdentifierClaimsRepository } from './identifier-claims.repository.js';

/** What identifies users, and whose it is. */
@Module({
  imports: [TypeOrmModule.forFeature([Credential, IdentifierClaim])],
  providers: [CredentialWriter, CredentialsRepository, IdentifierClaimsRepository],
  exports: [CredentialWriter, CredentialsRepository, IdentifierClaimsRepository],
})
export class CredentialsModule {}
