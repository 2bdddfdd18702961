import { Injectable } from '@nestjs/common';
import {
  listJsonOf,
  refersTo,
  type EnvironmentId,
  type EventDraft,
  type SubjectRows,
  type Transaction,
} from '../../database/index.js';
import type { IdentifierKey } from '../credentials/identifier-key.js';
import type { NewCredential } from '../credentials/new-credential.js';
import type { WalletAdditionalAddress } from '../credentials/verified-credential.dto.js';
import type { Chain } from '../vocabulary/chains.js';
import type { WalletProvider } from '../vocabulary/wallets.js';

/** A wallet that a new user is said to own. Its credential, which refers to the wallet by id, exists already. */
export interface NewUserWallet {
  id: string;
  credentialId: string;
  address: string;
  chain: Chain;
  name: string;
  provider: WalletProvider;
  additionalAddresses: WalletAdditionalAddress[];
}

export interface NewUserAttachments {
  wallets: NewUserWallet[];
}

/** What a user has just proven. */
export interface ProvenIdentifier {
  key: IdentifierKey;
  credential: Partial<NewCredential>;
}

/** A field of the user that another context keeps, such as `wallets`. */
export interface UserFacet {
  /** The field of the user it fills. */
  name: string;
  /** The rows it lists, of the user whom their `subject` names. Asked for when the first user is read. */
  readonly rows: SubjectRows;
  /** Stores what a creation request attaches, if it attaches something, and says what is to be told after the user. */
  create?(
    environmentId: EnvironmentId,
    userId: string,
    request: NewUserAttachments,
    tx: Transaction,
  ): Promise<EventDraft[]>;
  /** Called when a user has proven an identifier for the first time, with its credential; says what is to be told. */
  proven?(
    environmentId: EnvironmentId,
    userId: string,
    proof: ProvenIdentifier,
    tx: Transaction,
  ): Promise<EventDraft[]>;
  /** Called before the user's row is deleted, for what a cascade does not reach. */
  remove?(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void>;
  /** The same where the person is to be forgotten: nothing is kept for a while. */
  erase?(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void>;
  /** Whether something would then be lost that nobody can bring back, which its person is asked about first. */
  losesByErasure?(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean>;
  /** What becomes of it when credentials move or leave; where it is absent, nothing does. */
  credentials?: CredentialFollower;
}

/** From whom to whom. */
export interface Move {
  fromUserId: string;
  userId: string;
}

/** Keeps what belongs to credentials with them. */
export interface CredentialFollower {
  /**
   * Everything of one user becomes the other's: the two are one person.
   * @returns what it takes to undo it, as JSON
   * @throws ApiError 422 for what cannot change its user
   */
  merge(environmentId: EnvironmentId, move: Move, tx: Transaction): Promise<unknown>;
  /** Takes a merge back. @param moved what `merge` has answered */
  unmerge(environmentId: EnvironmentId, move: Move, moved: unknown, tx: Transaction): Promise<void>;
  /** The record that a credential names became the other user's. */
  follow(environmentId: EnvironmentId, move: Move, walletId: string, tx: Transaction): Promise<void>;
  /** The credential that names the record is gone. */
  drop(environmentId: EnvironmentId, userId: string, walletId: string, tx: Transaction): Promise<void>;
  /** Makes it the main one. False unless it is the user's. */
  prefer(environmentId: EnvironmentId, userId: string, walletId: string, tx: Transaction): Promise<boolean>;
  /** The user has just signed with the wallet; sent, and not waited for. */
  connect(environmentId: EnvironmentId, userId: string, key: IdentifierKey, tx: Transaction): void;
}

type Deletion = (environmentId: EnvironmentId, userId: string, tx: Transaction) => Promise<void>;

const NAME = /^[a-z][A-Za-z]*$/;

/** What a statement reads: as facets have it, and of a user whom the statement itself makes. */
interface Selections {
  readonly ofUser: string;
  readonly ofNewUser: string;
}

/** The facets of a user. Contexts above register theirs at start, so that one statement reads a whole user. */
@Injectable()
export class UserFacets {
  private readonly facets: UserFacet[] = [];
  private readonly deletions: Deletion[] = [];
  private composed: Selections | null = null;

  register(facet: UserFacet): void {
    if (this.composed !== null) throw new Error(`The facet ${facet.name} comes after the first user was read.`);
    if (!NAME.test(facet.name)) throw new Error(`${facet.name} is not the name of a field.`);
    if (this.facets.some(({ name }) => name === facet.name)) throw new Error(`The facet ${facet.name} is there twice.`);
    this.facets.push(facet);
  }

  /** For what is no field of a user and has to know of the people whom members and servers delete. */
  beforeDeletion(deletion: Deletion): void {
    this.deletions.push(deletion);
  }

  /** What facets add to the selection of a statement over `users u`; an empty text when there are none. */
  get selection(): string {
    return this.selections.ofUser;
  }

  /**
   * The same where the statement inserts `u`. Rows that refer to users by a foreign key cannot be there before their user,
   * so nothing is looked for: what the statement would do for it is a third of what it does for the user.
   */
  get selectionOfNewUser(): string {
    return this.selections.ofNewUser;
  }

  private get selections(): Selections {
    return (this.composed ??= { ofUser: this.select(listedOfUser), ofNewUser: this.select(listedOfNewUser) });
  }

  private select(expression: (rows: SubjectRows) => string): string {
    return this.facets.map(({ name, rows }) => `, ${expression(rows)} AS "${name}"`).join('');
  }

  async create(
    environmentId: EnvironmentId,
    userId: string,
    attachments: NewUserAttachments,
    tx: Transaction,
  ): Promise<EventDraft[]> {
    const events: EventDraft[] = [];
    for (const facet of this.facets) {
      events.push(...((await facet.create?.(environmentId, userId, attachments, tx)) ?? []));
    }
    return events;
  }

  async proven(
    environmentId: EnvironmentId,
    userId: string,
    proof: ProvenIdentifier,
    tx: Transaction,
  ): Promise<EventDraft[]> {
    const events: EventDraft[] = [];
    for (const facet of this.facets) events.push(...((await facet.proven?.(environmentId, userId, proof, tx)) ?? []));
    return events;
  }

  async remove(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    for (const facet of this.facets) await facet.remove?.(environmentId, userId, tx);
  }

  /** The user is deleted, and not merged into another one, which removes it too. */
  async delete(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    for (const deletion of this.deletions) await deletion(environmentId, userId, tx);
  }

  async erase(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    for (const facet of this.facets) await (facet.erase ?? facet.remove)?.call(facet, environmentId, userId, tx);
  }

  async losesByErasure(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    for (const facet of this.facets) if (await facet.losesByErasure?.(environmentId, userId, tx)) return true;
    return false;
  }

  /** @returns what each has to know to undo it, by its name */
  async merge(environmentId: EnvironmentId, move: Move, tx: Transaction): Promise<Record<string, unknown>> {
    const moved: Record<string, unknown> = {};
    for (const { name, credentials } of this.facets) {
      if (credentials) moved[name] = await credentials.merge(environmentId, move, tx);
    }
    return moved;
  }

  async unmerge(
    environmentId: EnvironmentId,
    move: Move,
    moved: Record<string, unknown>,
    tx: Transaction,
  ): Promise<void> {
    for (const { name, credentials } of this.facets) {
      if (credentials && name in moved) await credentials.unmerge(environmentId, move, moved[name], tx);
    }
  }

  async follow(environmentId: EnvironmentId, move: Move, walletId: string, tx: Transaction): Promise<void> {
    for (const { credentials } of this.facets) await credentials?.follow(environmentId, move, walletId, tx);
  }

  async drop(environmentId: EnvironmentId, userId: string, walletId: string, tx: Transaction): Promise<void> {
    for (const { credentials } of this.facets) await credentials?.drop(environmentId, userId, walletId, tx);
  }

  async prefer(environmentId: EnvironmentId, userId: string, walletId: string, tx: Transaction): Promise<boolean> {
    for (const { credentials } of this.facets) {
      if (await credentials?.prefer(environmentId, userId, walletId, tx)) return true;
    }
    return false;
  }

  /** Whoever signs with a wallet has connected it. The user is held from here on. */
  connect(environmentId: EnvironmentId, userId: string, keys: readonly IdentifierKey[], tx: Transaction): void {
    for (const key of keys) {
      if (key.kind !== 'wallet') continue;
      for (const { credentials } of this.facets) credentials?.connect(environmentId, userId, key, tx);
    }
  }
}

const listedOfUser = (rows: SubjectRows): string => listJsonOf(rows, 'u');

const listedOfNewUser = (rows: SubjectRows): string =>
  refersTo(rows.entity, rows.subject, 'users') ? "'[]'::json" : listedOfUser(rows);
