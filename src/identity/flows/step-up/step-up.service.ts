import { Injectable } from '@nestjs/common';
import type { ElevatedScope, EndUserPrincipal, EnvironmentId } from '../../../auth/index.js';
import { Elevations } from '../../assurance/elevations.js';
import { UserReader } from '../../users/user-reader.js';
import { SignInMethods } from '../proofs/sign-in-method.js';
import type { StepUpCheckResponse, StepUpCredential } from './step-up.dto.js';

/** Tells a client before an action whether it needs a fresh proof, and with which credentials. */
@Injectable()
export class StepUpChecks {
  constructor(
    private readonly elevations: Elevations,
    private readonly users: UserReader,
    private readonly methods: SignInMethods,
  ) {}

  async check(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    scope: ElevatedScope,
    token: string | null,
  ): Promise<StepUpCheckResponse> {
    const isGiven = await this.elevations.isGiven(environmentId, caller, scope, token);
    const user = await this.users.getFull(environmentId, caller.userId);
    const credentials: StepUpCredential[] = [];
    for (const own of user.verifiedCredentials) {
      if (!own.verifiedAt || !own.signInEnabled || !(await this.methods.canElevate(environmentId, own))) continue;
      const { id, format, public_identifier: alias, oauth_provider, wallet_provider } = own;
      const type = oauth_provider ?? wallet_provider;
      credentials.push({ id, format, ...(type && { type }), ...(alias && { alias }) });
    }
    const latest = credentials.find(({ id }) => id === user.lastVerifiedCredentialId) ?? credentials[0];
    return {
      isRequired: !isGiven,
      credentials,
      ...(latest && { defaultCredentialId: latest.id }),
    };
  }
}
