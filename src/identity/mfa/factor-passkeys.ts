import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { OtherPasskeys, type OtherPasskey, type OtherPasskeySource } from '../methods/passkey/other-passkeys.js';
import type { UserPasskey } from '../users/user-passkey.dto.js';
import { isAnother } from './factors.js';
import { MfaPasskeysRepository } from './mfa-passkeys.repository.js';
import { MfaPolicy } from './mfa-policy.js';
import { MfaSession } from './mfa-session.js';

/** Passkeys used as second factors, for browsers to choose from and for users to view. */
@Injectable()
export class FactorPasskeys implements OtherPasskeySource, OnModuleInit {
  constructor(
    private readonly passkeys: MfaPasskeysRepository,
    private readonly others: OtherPasskeys,
    private readonly policy: MfaPolicy,
    private readonly session: MfaSession,
  ) {}

  onModuleInit(): void {
    this.others.register(this);
  }

  async list(environmentId: EnvironmentId, userId: string): Promise<OtherPasskey[]> {
    const known = await this.passkeys.listOfUser(environmentId, userId);
    return known.map(({ credentialId, rpId }) => ({ credentialId, rpId, transports: [] }));
  }

  async takesThoseOfSignIn(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<boolean> {
    const { methods } = await this.policy.read(environmentId);
    return methods.includes('passkey') && isAnother((await this.session.get(environmentId, caller)).amr, 'passkey');
  }

  async listShown(environmentId: EnvironmentId, userId: string): Promise<UserPasskey[]> {
    const known = await this.passkeys.listOfUser(environmentId, userId);
    return known.map(({ id, credentialId, origin, userAgent, createdAt }) => ({
      id,
      credentialId,
      origin,
      createdAt,
      ...(userAgent !== null && { userAgent }),
    }));
  }
}
