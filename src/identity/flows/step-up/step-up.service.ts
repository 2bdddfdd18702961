import { Injectable } from '@nestjs/common';
import { unauthorized } from '../../../common/errors/index.js';
import type { ElevatedScope, EndUserPrincipal, EnvironmentId } from '../../../auth/index.js';
import { Elevations } from '../../assurance/elevations.js';
import { keyOfVerified } from '../../credentials/credential-identifier.js';
import { IdentifierClaimsRepository, type ProvenClaim } from '../../credentials/identifier-claims.repository.js';
import type { VerifiedCredential } from '../../credentials/verified-credential.dto.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
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
    private readonly sessions: SessionsRepository,
    private readonly claims: IdentifierClaimsRepository,
  ) {}

  /** Leaves out what was proven since the session began: `ProofsAnew` refuses it. @throws ApiError 401 */
  async check(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    scope: ElevatedScope,
    token: string | null,
  ): Promise<StepUpCheckResponse> {
    const isGiven = await this.elevations.isGiven(environmentId, caller, scope, token);
    const session = await this.sessions.findLive(environmentId, caller.sessionId);
    if (!session) throw unauthorized();
    const claims = await this.claims.listProven(environmentId, caller.userId);
    const older = claims.filter(({ provenAt }) => provenAt <= session.createdAt);
    const user = await this.users.getFull(environmentId, caller.userId);
    const credentials: StepUpCredential[] = [];
    for (const own of user.verifiedCredentials) {
      if (!own.verifiedAt || !own.signInEnabled || !older.some((claim) => isOf(claim, own))) continue;
      if (!(await this.methods.canElevate(environmentId, own))) continue;
      const { id, format, oauth_provider, wallet_provider } = own;
      const alias = await this.methods.labelOf(environmentId, own);
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

/** The issuer of a subject is named by the claim, and not by every credential. */
function isOf({ kind, identifier }: ProvenClaim, own: VerifiedCredential): boolean {
  const key = keyOfVerified(own);
  if (key) return key.kind === kind && key.identifier === identifier;
  const isSubject = kind === 'externalUserId' || kind === 'foreignSubject';
  return isSubject && own.format === 'externalUser' && ` ${identifier}`.endsWith(` ${own.public_identifier}`);
}
