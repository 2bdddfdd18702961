import { Injectable } from '@nestjs/common';
import { freshProofRequired, type EndUserPrincipal } from '../../../auth/index.js';
import { unauthorized } from '../../../common/errors/index.js';
import { UnitOfWork, type EnvironmentId } from '../../../database/index.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import type { FullUser } from '../../users/full-user.js';
import { UserIdentities } from '../../users/user-identities.js';
import { UserReader } from '../../users/user-reader.js';
import { admittedIdentifiers } from './admitted-identifiers.js';
import type { Proof } from './proof.js';

const UNKNOWN_CREDENTIAL = 'Prove a credential that you had when this session began, or sign in again with it.';

/** Fresh proofs of a signed-in user's existing credentials. */
@Injectable()
export class ProofsAnew {
  constructor(
    private readonly identities: UserIdentities,
    private readonly users: UserReader,
    private readonly sessions: SessionsRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * A stolen session can prove an address of the attacker's and link it to the user. So a proof counts as fresh only
   * with a credential that was proven before the session began.
   * @throws ApiError 403 `fresh_proof_required` for a newer credential
   */
  async prove(environmentId: EnvironmentId, { userId, sessionId }: EndUserPrincipal, proof: Proof): Promise<FullUser> {
    const [{ key }] = admittedIdentifiers(proof.identifiers);
    const session = await this.sessions.findLive(environmentId, sessionId);
    if (!session) throw unauthorized();
    return this.work.run(async (tx) => {
      await proof.redeem(tx);
      const provenAt = await this.identities.provenSince(environmentId, userId, key, tx);
      if (!provenAt || provenAt > session.createdAt) throw freshProofRequired({ hint: UNKNOWN_CREDENTIAL });
      return this.users.getFull(environmentId, userId, tx);
    });
  }
}
