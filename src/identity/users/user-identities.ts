import { Injectable } from '@nestjs/common';
import { conflict } from '../../common/errors/index.js';
import { isUuid, newId } from '../../common/ids.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { ChangeLog, SERVICE, type Actor } from '../../organizations/index.js';
import { ExternalIds } from './external-ids.js';
import { SOCIAL_LINKED, socialEvents } from './social-account.events.js';
import { UserFacets } from './user-facets.js';
import { USER_CREATED, userEvent } from './user.events.js';
import type { UserFields } from './user-request.dto.js';
import { UsersRepository, type ClaimedUser } from './users.repository.js';
import { ambiguousIdentifier, invalidUser } from '../credentials/identifier.errors.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { HeldAddresses } from '../credentials/held-addresses.js';
import {
  IdentifierClaimsRepository,
  type Claim,
  type TakenIdentifier,
} from '../credentials/identifier-claims.repository.js';
import { identifierKeyOf, type Identifier, type IdentifierKey } from '../credentials/identifier-key.js';
import type { NewCredential } from '../credentials/new-credential.js';

export type { Identifier };

export interface EnsureOptions {
  /** The caller has just proven ownership. Never set for social usernames: those change hands. */
  proven: boolean;
  /** Initial profile of a new user. */
  draft?: Partial<Omit<UserFields, 'captchaToken'>>;
  /** Further details of the credential, such as the username at a provider. */
  credential?: Partial<NewCredential>;
  /** The end user who acts; null or absent for an API call. A new user who proved the identifier counts as acting. */
  actorUserId?: string | null;
  /** The id for a newly created user, for callers that have prepared something for it. */
  newUserId?: string;
  /** The actor if no end user acts; the service by default. */
  actor?: Actor;
  /** A recent result of `look` or `foresee`, for callers that asked early. A claim made since is still detected. */
  known?: Promise<Claim | null> | Claim | null;
}

/** The owner of an identifier, as far as is known before the transaction. */
export interface ForeseenUser {
  /** Null if `ensure` would create one. */
  userId: string | null;
  /** For `ensure`, which then skips its look-up; null if it has to look again. */
  known: Claim | null;
}

export interface EnsuredUser {
  userId: string;
  created: boolean;
  /** This call was the first proof: until now the identifier was only asserted by an API call. */
  firstProof: boolean;
}

/** Kinds that API calls can add to existing users: wallets, and accounts on the frame network. */
const TIED_LATER: ReadonlySet<IdentifierKey['kind']> = new Set(['wallet', 'socialAccountId']);

/** Resolves an identifier to its user, and creates a user for an unclaimed one. */
@Injectable()
export class UserIdentities {
  constructor(
    private readonly claims: IdentifierClaimsRepository,
    private readonly users: UsersRepository,
    private readonly credentials: CredentialsRepository,
    private readonly changes: ChangeLog,
    private readonly facets: UserFacets,
    private readonly held: HeldAddresses,
    private readonly externalIds: ExternalIds,
  ) {}

  /** Looks up the owner for a later `ensure`, so that a caller with another statement to send waits once for both. */
  async look(environmentId: EnvironmentId, { kind, ...rest }: Identifier, tx: Transaction): Promise<Claim | null> {
    return kind === 'id' ? null : this.claims.find(environmentId, identifierKeyOf({ ...rest, kind }), tx);
  }

  /**
   * The same for a wallet whose key is being imported: blocks proofs of the address until the transaction ends. Must be
   * called before any row is locked.
   */
  async lookAlone(environmentId: EnvironmentId, wallet: Omit<Identifier, 'kind'>, tx: Transaction): Promise<Claim> {
    const key = identifierKeyOf({ ...wallet, kind: 'wallet' });
    await this.held.hold(environmentId, key, tx);
    return this.claims.find(environmentId, key, tx);
  }

  /** The same with the whole user, for a sign-in. */
  async meet(
    environmentId: EnvironmentId,
    { kind, ...rest }: Identifier,
    tx: Transaction,
  ): Promise<ClaimedUser | null> {
    return kind === 'id' ? null : this.users.findClaimed(environmentId, identifierKeyOf({ ...rest, kind }), tx);
  }

  /**
   * The user that `ensure` would find; null if it would create one. Only `ensure` is authoritative.
   *
   * @throws ApiError as `ensure`
   */
  async expect(environmentId: EnvironmentId, identifier: Identifier): Promise<string | null> {
    return (await this.foresee(environmentId, identifier)).userId;
  }

  /** The same, with a look-up result for `ensure`. @throws ApiError as `ensure` */
  async foresee(environmentId: EnvironmentId, { kind, ...rest }: Identifier): Promise<ForeseenUser> {
    if (kind === 'id') return { userId: (await this.existing(environmentId, rest.value)).userId, known: null };
    const key = identifierKeyOf({ ...rest, kind });
    const known = unambiguous(await this.claims.find(environmentId, key));
    const userId = known.userId ?? known.candidates[0] ?? (await this.externalIds.findSubject(environmentId, key));
    return { userId, known };
  }

  /**
   * Concurrent calls for a new identifier create one user and one `user.created`: the claim is written first and its
   * primary key decides.
   * @throws ApiError 422 `ambiguous_identifier` if several users have it, `invalid_user` for an unknown id,
   *   `invalid_email`, `invalid_phone`
   */
  async ensure(
    environmentId: EnvironmentId,
    identifier: Identifier,
    options: EnsureOptions,
    tx: Transaction,
  ): Promise<EnsuredUser> {
    const { kind } = identifier;
    if (kind === 'id') return this.existing(environmentId, identifier.value, tx);
    const key = identifierKeyOf({ ...identifier, kind });
    const proven = options.proven && key.canBeProven;
    let known = unambiguous((await options.known) ?? (await this.claims.find(environmentId, key, tx)));
    if (proven && !known.isProven) {
      await this.assertProvable(environmentId, key, tx);
      const stated = known.userId ?? known.candidates[0];
      if (stated !== undefined && (await this.isShut(environmentId, stated, key, tx))) {
        return this.settleAnew(environmentId, key, options, tx);
      }
    }
    if (known.userId === null) {
      const [candidate = null] = known.candidates;
      const holder = candidate ?? (await this.findByOtherForm(environmentId, key, proven, tx));
      const claimant = holder ?? options.newUserId ?? newId();
      // A user who has signed in as the subject already owns this id for good.
      const isSettled = proven || (holder !== null && kind === 'externalUserId');
      if (holder) this.users.hold(environmentId, holder, tx);
      if (await this.claims.claim(environmentId, key, claimant, isSettled, tx)) {
        if (!holder) return this.create(environmentId, claimant, key, { ...options, proven }, tx);
        if (candidate === null && proven && !(await this.externalIds.settle(environmentId, key, holder, tx)))
          throw conflict();
        if (proven) await this.verify(environmentId, holder, key, options, tx);
        return { userId: holder, created: false, firstProof: proven };
      }
      // Lost the race: the winner has committed by now.
      known = unambiguous(await this.claims.find(environmentId, key, tx));
    }
    const { userId, isProven } = known;
    if (userId === null) throw conflict();
    const isUnproven = proven && !isProven;
    if (isUnproven) this.users.hold(environmentId, userId, tx);
    const firstProof = isUnproven && (await this.claims.prove(environmentId, key, userId, tx));
    if (firstProof) await this.verify(environmentId, userId, key, options, tx);
    return { userId, created: false, firstProof };
  }

  /**
   * Whether an API call added the identifier, without sign-in, to an account that already had a proven owner. Otherwise
   * an API caller could get into any account, and at its keys, by adding a wallet of their own.
   */
  private async isShut(
    environmentId: EnvironmentId,
    userId: string,
    key: IdentifierKey,
    tx: Transaction,
  ): Promise<boolean> {
    if (!TIED_LATER.has(key.kind)) return false;
    const user = await this.users.findUser(environmentId, userId, { sessions: false, oauthMetadata: false }, tx);
    const own = user?.verifiedCredentials.filter((credential) => key.matches(credential)) ?? [];
    if (own.length === 0 || own.some(({ signInEnabled }) => signInEnabled)) return false;
    return this.claims.hasProven(environmentId, userId, tx);
  }

  /** Creates a new user for somebody who proved an identifier that was only asserted for another user. */
  private async settleAnew(
    environmentId: EnvironmentId,
    key: IdentifierKey,
    options: EnsureOptions,
    tx: Transaction,
  ): Promise<EnsuredUser> {
    const userId = options.newUserId ?? newId();
    if (await this.claims.take(environmentId, key, userId, tx)) {
      return this.create(environmentId, userId, key, { ...options, proven: true }, tx);
    }
    // Lost the race: the winner has committed by now.
    const { userId: winner } = await this.claims.find(environmentId, key, tx);
    if (winner === null) throw conflict();
    return { userId: winner, created: false, firstProof: false };
  }

  /** An id proven by an extension's method is not an issuer's statement, so it finds no subject. */
  private findByOtherForm(
    environmentId: EnvironmentId,
    key: IdentifierKey,
    proven: boolean,
    tx: Transaction,
  ): Promise<string | null> {
    if (proven) return this.externalIds.findNamed(environmentId, key, tx);
    return this.externalIds.findSubject(environmentId, key, tx);
  }

  /** Links an identifier that was just proven to a known user. Null if another user has proven it. */
  async attach(
    environmentId: EnvironmentId,
    userId: string,
    key: IdentifierKey,
    credential: Partial<NewCredential> | undefined,
    tx: Transaction,
  ): Promise<TakenIdentifier | null> {
    await this.assertProvable(environmentId, key, tx);
    this.users.hold(environmentId, userId, tx);
    const taken = await this.claims.take(environmentId, key, userId, tx);
    if (taken && !taken.isNew) await this.nameIssuer(environmentId, userId, key, tx);
    if (taken) await this.verify(environmentId, userId, key, { proven: true, credential }, tx);
    return taken;
  }

  /**
   * Completes a subject of an extension's issuer that an earlier version stored like the team's own id, by which rules
   * would take the user for somebody else.
   * @returns whether the stored user may have changed
   */
  async nameIssuer(
    environmentId: EnvironmentId,
    userId: string,
    key: IdentifierKey,
    tx: Transaction,
  ): Promise<boolean> {
    if (!(await this.externalIds.isElsewhere(environmentId, key))) return false;
    this.users.hold(environmentId, userId, tx);
    this.credentials.replaceSubject(environmentId, userId, key, tx);
    return true;
  }

  /** When the user first proved the identifier; null if they have not. */
  provenSince(environmentId: EnvironmentId, userId: string, key: IdentifierKey, tx: Transaction): Promise<Date | null> {
    return this.claims.findProvenSince(environmentId, key, userId, tx);
  }

  /**
   * Called before an identifier is proven for the first time.
   * @throws ApiError 422 `embedded_wallet_proves_nobody`
   */
  async assertProvable(environmentId: EnvironmentId, key: IdentifierKey, tx: Transaction): Promise<void> {
    if (key.kind === 'wallet') await this.held.assertElsewhere(environmentId, key, tx);
  }

  private async existing(environmentId: EnvironmentId, userId: string, tx?: Transaction): Promise<EnsuredUser> {
    const id = userId.toLowerCase();
    if (!isUuid(id) || !(await this.users.exists(environmentId, id, tx))) throw invalidUser();
    return { userId: id, created: false, firstProof: false };
  }

  private async create(
    environmentId: EnvironmentId,
    userId: string,
    key: IdentifierKey,
    options: EnsureOptions,
    tx: Transaction,
  ): Promise<EnsuredUser> {
    const { proven, draft, actorUserId } = options;
    const credential = this.credentialOf(key, options);
    const user = await this.users.insertUser(environmentId, userId, { ...draft, ...key.profile }, [credential], tx);
    const causedBy = actorUserId ?? (proven ? userId : null);
    const follows = proven ? await this.facets.proven(environmentId, userId, { key, credential }, tx) : [];
    const drafts = [userEvent(USER_CREATED, user, causedBy), ...follows];
    const { actor = SERVICE } = options;
    await this.changes.tell(environmentId, { type: 'user', actor, drafts, routine: true }, tx);
    return { userId, created: true, firstProof: proven };
  }

  private async verify(
    environmentId: EnvironmentId,
    userId: string,
    key: IdentifierKey,
    options: EnsureOptions,
    tx: Transaction,
  ): Promise<void> {
    const credential = this.credentialOf(key, { ...options, proven: true });
    const isThere = await this.credentials.verify(environmentId, userId, key, credential.contractNetwork ?? null, tx);
    if (!isThere) this.credentials.insertFor(environmentId, userId, [credential], tx);
    const followed = await this.facets.proven(environmentId, userId, { key, credential }, tx);
    const drafts = [...(isThere ? [] : socialEvents(SOCIAL_LINKED, userId, credential)), ...followed];
    const { actor = SERVICE } = options;
    await this.changes.tell(environmentId, { type: 'user', actor, drafts, routine: true }, tx);
  }

  /** An unproven identifier identifies a user but does not allow sign-in. */
  private credentialOf(key: IdentifierKey, { proven, credential }: EnsureOptions): NewCredential {
    return {
      ...(key.kind === 'wallet' && { walletAdditionalAddresses: [] }),
      ...credential,
      ...key.credential,
      signInEnabled: proven,
      verifiedAt: proven ? 'now' : null,
    };
  }
}

/** An identifier held by several users is ambiguous; the service never picks one, not even the earliest. */
export function unambiguous(claim: Claim): Claim {
  const users = new Set([...(claim.userId ? [claim.userId] : []), ...claim.candidates]);
  if (users.size > 1) throw ambiguousIdentifier();
  return claim;
}
