import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import { CredentialsRepository } from '../../credentials/credentials.repository.js';
import { SessionIssuer } from '../../sessions/session-issuer.js';
import type { FullUser } from '../../users/full-user.js';
import { UserIdentities, type EnsureOptions } from '../../users/user-identities.js';
import { UserReader } from '../../users/user-reader.js';
import { newDescription } from './account-description.js';
import { admittedIdentifiers, type AdmittedIdentifier } from './admitted-identifiers.js';
import { credentialAlreadyLinked } from '../flow.errors.js';
import type { Proof } from './proof.js';
import { resolveProof } from './proof-resolution.js';

/** The user identified by a proof. */
export interface ProofOwner {
  user: FullUser;
  created: boolean;
  /** The credential of the first identifier. */
  credentialId: string | null;
  /** The identifiers shown, normalised. */
  shown: readonly AdmittedIdentifier[];
  /** Sign-in credentials that the proof added to an existing user. */
  added: readonly AdmittedIdentifier[];
}

/** Finds or creates the user a proof is about, and gives them every identifier it proves. */
@Injectable()
export class ProofOwners {
  constructor(
    private readonly identities: UserIdentities,
    private readonly credentials: CredentialsRepository,
    private readonly users: UserReader,
    private readonly sessions: SessionIssuer,
  ) {}

  /** @throws ApiError 422 `weak_proof`, `ambiguous_identifier` if its identifiers belong to several users */
  async ensure(environmentId: EnvironmentId, proof: Proof, tx: Transaction): Promise<ProofOwner> {
    const shown = admittedIdentifiers(proof.identifiers);
    const redeemed = proof.redeem(tx);
    // The look-ups are sent along with the redemption; if the proof is refused, their results do not matter.
    const [first, ...more] = shown;
    const met = this.identities.meet(environmentId, first.identifier, tx);
    const known = [met, ...more.map(({ identifier }) => this.identities.look(environmentId, identifier, tx))];
    for (const claim of known) claim.catch(() => undefined);
    await redeemed;
    const claims = shown.length === 1 ? [null] : await Promise.all(known);
    const { main: at, others } = resolveProof(
      shown.map(({ strength }, place) => ({ strength, claim: claims[place]! })),
    );
    const main = shown[at]!;
    const { identifier, credential } = main;
    const profiles = others.map((place) => shown[place]!.key.profile);
    const draft = Object.assign({ ...proof.profile }, ...profiles) as EnsureOptions['draft'];
    const options = { proven: true, known: known[at]!, draft, credential };
    const { userId, created, firstProof } = await this.identities.ensure(environmentId, identifier, options, tx);
    // Nobody had proven the identifier until now, so existing sessions of that user are somebody else's.
    if (firstProof && !created) await this.sessions.endAll(environmentId, userId, tx);
    const added = firstProof && !created ? [main] : [];
    for (const place of others) {
      const one = shown[place]!;
      const isNew = await this.attach(environmentId, { userId, created }, one, tx);
      if (isNew && !created) added.push(one);
    }
    const unchanged = !created && !firstProof && others.length === 0 ? (await met)?.user : null;
    const before = unchanged?.id === userId ? unchanged : await this.users.getFull(environmentId, userId, tx);
    const isDescribed = created || !(await this.describe(environmentId, before, shown, tx));
    const user = isDescribed ? before : await this.users.getFull(environmentId, userId, tx);
    const credentialId = credentialOf(user, shown[0]);
    await proof.kept?.store.keep(environmentId, { userId, credentialId }, proof.kept.tokens, tx);
    return { user, created, credentialId, shown, added };
  }

  /**
   * Replaces the stored account details with the provider's current ones: a username given up may now be somebody
   * else's, and lists that admit by name must not match the old one. The same goes for a subject without its issuer.
   * @returns whether anything changed
   */
  private async describe(
    environmentId: EnvironmentId,
    { id: userId, verifiedCredentials }: FullUser,
    shown: readonly AdmittedIdentifier[],
    tx: Transaction,
  ): Promise<boolean> {
    let changes = false;
    for (const { key, credential } of shown) {
      const own = verifiedCredentials.find((one) => key.matches(one));
      if (!own && (await this.identities.nameIssuer(environmentId, userId, key, tx))) changes = true;
      const description = own && newDescription(own, credential);
      if (!description) continue;
      this.credentials.updateAccount(environmentId, { userId, credentialId: own.id }, description, tx);
      changes = true;
    }
    return changes;
  }

  /**
   * A vouched identifier stays with another user who already has it; an error for a new user, whose profile contains
   * it.
   * @returns whether this proof made it theirs
   */
  private async attach(
    environmentId: EnvironmentId,
    { userId, created }: { userId: string; created: boolean },
    { key, credential, strength }: AdmittedIdentifier,
    tx: Transaction,
  ): Promise<boolean> {
    const taken = await this.identities.attach(environmentId, userId, key, credential, tx);
    if (!taken && (created || strength === 'proven')) throw credentialAlreadyLinked();
    return taken?.isNew === true;
  }
}

/** The user's credential for an identifier: by its row if the method knows it. */
export const credentialOf = (user: FullUser, { key, credential }: AdmittedIdentifier): string | null =>
  user.verifiedCredentials.find((own) => (credential?.id ? own.id === credential.id : key.matches(own)))?.id ?? null;
