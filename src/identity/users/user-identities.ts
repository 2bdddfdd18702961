import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
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
  /** The caller has just proven that it is theirs. Never said of a social username: those change hands. */
  proven: boolean;
  /** What a new user starts with. */
  draft?: Partial<Omit<UserFields, 'captchaToken'>>;
  /** What is known of the credential beside the identifier, such as the name at a provider. */
  credential?: Partial<NewCredential>;
  /** The end user who causes it; null or absent when an API call does. A new user who proved it causes it. */
  actorUserId?: string | null;
  /** The id of the user if one is made, for a caller who has prepared something for it. */
  newUserId?: string;
  /** Who asks where no end user does; the service by default. */
  actor?: Actor;
  /** What `look` or `foresee` has said shortly before, for a caller who asked early. Who has since made a claim is found. */
  known?: Promise<Claim | null> | Claim | null;
}

/** Whose an identifier is, as far as can be known before a transaction. */
export interface ForeseenUser {
  /** Null when `ensure` would make one. */
  userId: string | null;
  /** For `ensure`, which then does not look again; null where it has to. */
  known: Claim | null;
}

export interface EnsuredUser {
  userId: string;
  created: boolean;
  /** This call was the first proof: until now only an API call had said that the identifier is the user's. */
  firstProof: boolean;
}

/** What API calls tie to users who are there already: wallets, and accounts on the frame network. */
const TIED_LATER: ReadonlySet<IdentifierKey['kind']> = new Set(['wallet', 'socialAccountId']);

/** Tells whose an identifier is, and makes a user for one that is nobody's. */
@Injectable()
export class UserIdentities {
  constructor(
    private readonly claims: IdentifierClaimsRepository,
    private readonly users: UsersRepository,
    private readonly credentials: CredentialsRepository,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
    private readonly facets: UserFacets,
    private readonly held: HeldAddresses,
    private readonly externalIds: ExternalIds,
  ) {}

  /** Asks whose an identifier is, for a later `ensure`; a caller who has another statement to wait for waits once for both. */
  async look(environmentId: EnvironmentId, { kind, ...rest }: Identifier, tx: Transaction): Promise<Claim | null> {
    return kind === 'id' ? null : this.claims.find(environmentId, identifierKeyOf({ ...rest, kind }), tx);
  }

  /**
   * The same of a wallet for whoever brings its key: nobody proves the address before the transaction ends. Asked before
   * any row is locked.
   */
  async lookAlone(environmentId: EnvironmentId, wallet: Omit<Identifier, 'kind'>, tx: Transaction): Promise<Claim> {
    const key = identifierKeyOf({ ...wallet, kind: 'wallet' });
    await this.held.hold(environmentId, key, tx);
    return this.claims.find(environmentId, key, tx);
  }

  /** The same with the whole user, for somebody who is about to be let in. */
  async meet(
    environmentId: EnvironmentId,
    { kind, ...rest }: Identifier,
    tx: Transaction,
  ): Promise<ClaimedUser | null> {
    return kind === 'id' ? null : this.users.findClaimed(environmentId, identifierKeyOf({ ...rest, kind }), tx);
  }

  /**
   * The user that `ensure` would find; null when it would make one. Only `ensure` is certain of it.
   *
   * @throws ApiError as `ensure`
   */
  async expect(environmentId: EnvironmentId, identifier: Identifier): Promise<string | null> {
    return (await this.foresee(environmentId, identifier)).userId;
  }

  /** The same with what `ensure` takes for its own look. @throws ApiError as `ensure` */
  async foresee(environmentId: EnvironmentId, { kind, ...rest }: Identifier): Promise<ForeseenUser> {
    if (kind === 'id') return { userId: (await this.existing(environmentId, rest.value)).userId, known: null };
    const key = identifierKeyOf({ ...rest, kind });
    const known = unambiguous(await this.claims.find(environmentId, key));
    const userId = known.userId ?? known.candidates[0] ?? (await this.externalIds.findSubject(environmentId, key));
    return { userId, known };
  }

  /**
   * However many call at once for a new identifier, one user and one `user.created` come of it: the claim is written
   * first and its key decides.
   * @throws ApiError 422 `ambiguous_identifier` when several users have it, `invalid_user` for an unknown id,
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
      // Whoever has come as the subject already has this id for good.
      const isSettled = proven || (holder !== null && kind === 'externalUserId');
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
    const firstProof = proven && !isProven && (await this.claims.prove(environmentId, key, userId, tx));
    if (firstProof) await this.verify(environmentId, userId, key, options, tx);
    return { userId, created: false, firstProof };
  }

  /**
   * Whether an API call has tied the identifier to an account that was somebody's already, as what signs nobody in. Whoever
   * may make such calls would otherwise get into every account with a wallet of their own, and to the keys that are in it.
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

  /** Whoever has proven what was only said of somebody else becomes a user of their own. */
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

  /** What a method of an extension has proven as an id is not what an issuer says, so it finds no subject. */
  private findByOtherForm(
    environmentId: EnvironmentId,
    key: IdentifierKey,
    proven: boolean,
    tx: Transaction,
  ): Promise<string | null> {
    if (proven) return this.externalIds.findNamed(environmentId, key, tx);
    return this.externalIds.findSubject(environmentId, key, tx);
  }

  /** Ties an identifier that was just proven to a user who is known. Null when another user has proven it. */
  async attach(
    environmentId: EnvironmentId,
    userId: string,
    key: IdentifierKey,
    credential: Partial<NewCredential> | undefined,
    tx: Transaction,
  ): Promise<TakenIdentifier | null> {
    await this.assertProvable(environmentId, key, tx);
    const taken = await this.claims.take(environmentId, key, userId, tx);
    if (taken) await this.verify(environmentId, userId, key, { proven: true, credential }, tx);
    return taken;
  }

  /** Since when a user has proven an identifier; null when they have not. */
  provenSince(environmentId: EnvironmentId, userId: string, key: IdentifierKey, tx: Transaction): Promise<Date | null> {
    return this.claims.findProvenSince(environmentId, key, userId, tx);
  }

  /** Before an identifier is proven for the first time. @throws ApiError 422 `embedded_wallet_proves_nobody` */
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

  /** What was not proven identifies a user, but does not let anybody in. */
  private credentialOf(key: IdentifierKey, { proven, credential }: EnsureOptions): NewCredential {
    return {
      ...credential,
      ...key.credential,
      signInEnabled: proven,
      verifiedAt: proven ? this.clock.now() : null,
    };
  }
}

/** Several users with one identifier are never guessed between, whichever came first. */
export function unambiguous(claim: Claim): Claim {
  const users = new Set([...(claim.userId ? [claim.userId] : []), ...claim.candidates]);
  if (users.size > 1) throw ambiguousIdentifier();
  return claim;
}
