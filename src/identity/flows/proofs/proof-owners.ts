import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import { CredentialsRepository } from '../../credentials/credentials.repository.js';
import type { IdentifierKey } from '../../credentials/identifier-key.js';
import { SessionIssuer } from '../../sessions/session-issuer.js';
import type { FullUser } from '../../users/full-user.js';
import { UserIdentities, type EnsureOptions } from '../../users/user-identities.js';
import { UserReader } from '../../users/user-reader.js';
import { newDescription } from './account-description.js';
import { admittedIdentifiers, type AdmittedIdentifier } from './admitted-identifiers.js';
import { credentialAlreadyLinked } from '../flow.errors.js';
import type { Proof } from './proof.js';
import { resolveProof } from './proof-resolution.js';

/** Who has proven themselves. */
export interface ProofOwner {
  user: FullUser;
  created: boolean;
  /** The credential that the first identifier is. */
  credentialId: string | null;
  /** What was shown, as it is compared. */
  keys: readonly IdentifierKey[];
  /** Ways in that the proof brought to a user who was there before. */
  added: readonly AdmittedIdentifier[];
}

/** Finds or makes the user whom a proof is about, and gives them every identifier that it proves. */
@Injectable()
export class ProofOwners {
  constructor(
    private readonly identities: UserIdentities,
    private readonly credentials: CredentialsRepository,
    private readonly users: UserReader,
    private readonly sessions: SessionIssuer,
  ) {}

  /** @throws ApiError 422 `weak_proof`, `ambiguous_identifier` when its identifiers are of several users */
  async ensure(environmentId: EnvironmentId, proof: Proof, tx: Transaction): Promise<ProofOwner> {
    const shown = admittedIdentifiers(proof.identifiers);
    const redeemed = proof.redeem(tx);
    // Whose they are travels with the proof, and who that is; when the proof is refused, it does not matter any more.
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
    const told = others.map((place) => shown[place]!.key.profile);
    const draft = Object.assign({ ...proof.profile }, ...told) as EnsureOptions['draft'];
    const options = { proven: true, known: known[at]!, draft, credential };
    const { userId, created, firstProof } = await this.identities.ensure(environmentId, identifier, options, tx);
    // Until now nobody had proven the identifier, so whoever is signed in to that user is somebody else.
    if (firstProof && !created) await this.sessions.endAll(environmentId, userId, tx);
    const added = firstProof && !created ? [main] : [];
    for (const place of others) {
      const one = shown[place]!;
      const isNew = await this.attach(environmentId, { userId, created }, one, tx);
      if (isNew && !created) added.push(one);
    }
    const unchanged = !created && !firstProof && others.length === 0 ? (await met)?.user : null;
    const before = unchanged?.id === userId ? unchanged : await this.users.getFull(environmentId, userId, tx);
    const isDescribed = created || !this.describe(environmentId, before, shown, tx);
    const user = isDescribed ? before : await this.users.getFull(environmentId, userId, tx);
    const credentialId = credentialOf(user, shown[0]);
    await proof.kept?.store.keep(environmentId, { userId, credentialId }, proof.kept.tokens, tx);
    return { user, created, credentialId, keys: shown.map(({ key }) => key), added };
  }

  /**
   * An account is known from now on by what its provider says of it today: a name that it gave up may be somebody else's,
   * and lists that admit by name must not admit by the old one. @returns whether anything changed
   */
  private describe(
    environmentId: EnvironmentId,
    { id: userId, verifiedCredentials }: FullUser,
    shown: readonly AdmittedIdentifier[],
    tx: Transaction,
  ): boolean {
    let changes = false;
    for (const { key, credential } of shown) {
      const own = verifiedCredentials.find((one) => key.matches(one));
      const description = own && newDescription(own, credential);
      if (!description) continue;
      this.credentials.updateAccount(environmentId, { userId, credentialId: own.id }, description, tx);
      changes = true;
    }
    return changes;
  }

  /**
   * What is only vouched for is left to whoever was faster, unless it stands in the profile of the new user.
   * @returns whether it became theirs by this proof
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

/** The credential of a user that an identifier is: by its row where the method knows it. */
export const credentialOf = (user: FullUser, { key, credential }: AdmittedIdentifier): string | null =>
  user.verifiedCredentials.find((own) => (credential?.id ? own.id === credential.id : key.matches(own)))?.id ?? null;
