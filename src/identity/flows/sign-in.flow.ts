import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { SessionIssuer } from '../sessions/session-issuer.js';
import { SessionTokens } from '../sessions/session-tokens.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { VerifiedCredential } from '../credentials/verified-credential.dto.js';
import type { FullUser } from '../users/full-user.js';
import { UserReader } from '../users/user-reader.js';
import { UserIdentities, type Identifier } from '../users/user-identities.js';
import { SessionTermsReader } from './session-terms.js';
import { SignInChecks } from './sign-in-checks.js';

/** What a method of sign-in has established. */
export interface Proof {
  /** Whom it proves, in normal form. */
  identifier: Identifier;
  /** How, by names of RFC 8176 where it has one. */
  amr: readonly string[];
  /** Whether a credential of the user is the one that was proven. */
  proves(credential: VerifiedCredential): boolean;
  /** Makes the proof unusable. @throws ApiError 422 when somebody else used it first */
  redeem(tx: Transaction): Promise<void>;
}

export interface SignInOptions {
  client: ClientOrigin;
  sessionPublicKey?: string;
}

/**
 * From a proof to tokens, whatever the method: the proof is used up, the user found or created, the rules asked and the
 * session written in one transaction, so a refusal anywhere leaves nothing behind.
 */
@Injectable()
export class SignInFlow {
  constructor(
    private readonly identities: UserIdentities,
    private readonly users: UserReader,
    private readonly checks: SignInChecks,
    private readonly issuer: SessionIssuer,
    private readonly tokens: SessionTokens,
    private readonly terms: SessionTermsReader,
    private readonly work: UnitOfWork,
  ) {}

  async complete(environmentId: EnvironmentId, proof: Proof, options: SignInOptions): Promise<SignedIn<FullUser>> {
    const { client, sessionPublicKey } = options;
    this.issuer.assertPublicKey(sessionPublicKey);
    const terms = await this.terms.read(environmentId);
    const attempt = (prepared: boolean) =>
      this.work.run(async (tx) => {
        const redeemed = proof.redeem(tx);
        const known = this.identities.look(environmentId, proof.identifier, tx);
        // When the proof is refused, this does not matter any more.
        known.catch(() => undefined);
        await redeemed;
        const ensured = await this.identities.ensure(environmentId, proof.identifier, { proven: true, known }, tx);
        const { userId, created } = ensured;
        // Until now nobody had proven the identifier, so whoever is signed in to that user is somebody else.
        if (ensured.firstProof && !created) await this.issuer.endAll(environmentId, userId, tx);
        const user = await this.users.getFull(environmentId, userId, tx);
        const { amr } = proof;
        const grants = await this.checks.run(
          { environmentId, user, created, amr, occasion: 'sign-in', client, prepared },
          tx,
        );
        const credentialId = user.verifiedCredentials.find((credential) => proof.proves(credential))?.id ?? null;
        const facts = { userId, credentialId, amr, sessionPublicKey, client };
        const session = await this.issuer.establish(environmentId, facts, terms, tx);
        return { session, grants, user: visited(user, session.createdAt, credentialId) };
      });
    const admitted = await this.checks.prepared(attempt);
    return this.tokens.issue(environmentId, { ...admitted, asCookie: terms.asCookie });
  }
}

/** The user as the sign-in leaves them, which spares reading them again. */
function visited(user: FullUser, now: Date, credentialId: string | null): FullUser {
  const { firstVisit, lastVerifiedCredentialId } = user;
  return {
    ...user,
    firstVisit: firstVisit ?? now,
    lastVisit: now,
    newUser: !firstVisit,
    lastVerifiedCredentialId: credentialId ?? lastVerifiedCredentialId,
  };
}
