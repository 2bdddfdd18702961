import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialWriter } from './credential-writer.js';
import { Credential } from './credential.entity.js';
import { CredentialsRepository } from './credentials.repository.js';
import { HeldAddresses } from './held-addresses.js';
import { IdentifierClaim } from './identifier-claim.entity.js';
import { IdentifierClaimsRepository } from './identifier-claims.repository.js';

/** Credentials, and who owns each identifier. */
@Module({
  imports: [TypeOrmModule.forFeature([Credential, IdentifierClaim])],
  providers: [CredentialWriter, CredentialsRepository, HeldAddresses, IdentifierClaimsRepository],
  exports: [CredentialWriter, CredentialsRepository, HeldAddresses, IdentifierClaimsRepository],
})
export class CredentialsModule {}
