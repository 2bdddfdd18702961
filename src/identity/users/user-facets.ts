import { Injectable } from '@nestjs/common';
import {
  listJsonOf,
  refersTo,
  type EnvironmentId,
  type EventDraft,
  type Executor,
  type SubjectRows,
  type Transaction,
} from '../../database/index.js';
import type { IdentifierKey } from '../credentials/identifier-key.js';
import type { NewCredential } from '../credentials/new-credential.js';
import type { WalletAdditionalAddress } from '../credentials/verified-credential.dto.js';
import type { Chain } from '../vocabulary/chains.js';
import type { WalletProvider } from '../vocabulary/wallets.js';

/** A wallet that a new user is said to own. The credential that refers to it by id already exists. */
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

/** An identifier the user has just proven. */
export interface ProvenIdentifier {
  key: IdentifierKey;
  credential: Partial<NewCredential>;
}

/** A wallet the user has just signed with, and what the client said of it. */
export type ConnectedWallet = Pick<ProvenIdentifier, 'key'> & Partial<ProvenIdentifier>;

/** An address and its chain, by name or namespace. */
export interface HeldAddress {
  address: string;
  chain: string;
}

/** A field of the user that another context keeps, such as `wallets`. */
export interface UserFacet {
  /** The field of the user it fills. */
  name: string;
  /** The rows it lists; their `subject` is the user id. Evaluated when the first user is read. */
  readonly rows: SubjectRows;
  /** Stores the request's attachments, if any. Returns events to emit after the user's. */
  create?(
    environmentId: EnvironmentId,
    userId: string,
    request: NewUserAttachments,
    tx: Transaction,
  ): Promise<EventDraft[]>;
  /** Called when a user proves an identifier for the first time, with its credential. Returns events to emit. */
  proven?(
    environmentId: EnvironmentId,
    userId: string,
    proof: ProvenIdentifier,
    tx: Transaction,
  ): Promise<EventDraft[]>;
  /** Called before the user's row is deleted, to remove what the cascade does not reach. */
  remove?(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void>;
  /** The same for an erasure: nothing is retained, even temporarily. */
  erase?(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void>;
  /** Whether the erasure would destroy something irrecoverable, which needs the person's confirmation first. */
  losesByErasure?(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean>;
  /** Addresses of the user that no credential has, such as those of hidden wallets. */
  addresses?(environmentId: EnvironmentId, userId: string, on?: Executor): Promise<HeldAddress[]>;
  /** Handles credentials that move or leave; if absent, nothing happens. */
  credentials?: CredentialFollower;
}

/** The users that something moves between. */
export interface Move {
  fromUserId: string;
  userId: string;
}

/** Moves and removes records along with their credentials. */
export interface CredentialFollower {
  /**
   * Moves everything of one user to the other: both are the same person.
   * @returns what is needed to undo it, as JSON
   * @throws ApiError 422 for records that cannot change their user
   */
  merge(environmentId: EnvironmentId, move: Move, tx: Transaction): Promise<unknown>;
  /** Undoes a merge. @param moved the result of `merge` */
  unmerge(environmentId: EnvironmentId, move: Move, moved: unknown, tx: Transaction): Promise<void>;
  /** The record named by a credential now belongs to the other user. */
  follow(environmentId: EnvironmentId, move: Move, walletId: string, tx: Transaction): Promise<void>;
  /** The credential that named the record was removed. */
  drop(environmentId: EnvironmentId, userId: string, walletId: string, tx: Transaction): Promise<void>;
  /** Makes it the main wallet. False if it is not the user's. */
  prefer(environmentId: EnvironmentId, userId: string, walletId: string, tx: Transaction): Promise<boolean>;
  /** Records that the user has just signed with the wallet, and in which application; sent without waiting. */
  connect(environmentId: EnvironmentId, userId: string, shown: ConnectedWallet, tx: Transaction): void;
}

type Deletion = (environmentId: EnvironmentId, userId: string, tx: Transaction) => Promise<void>;

const NAME = /^[a-z][A-Za-z]*$/;

/** The facets' part of a selection: for existing users, and for a user the statement itself inserts. */
interface Selections {
  readonly ofUser: string;
  readonly ofNewUser: string;
}

/** The facets of a user. Higher-level contexts register theirs at startup, so that one statement reads a whole user. */
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

  /** For contexts without a facet that must know when members or servers delete a user. */
  beforeDeletion(deletion: Deletion): void {
    this.deletions.push(deletion);
  }

  /** What facets add to the selection of a statement over `users u`; empty if there are none. */
  get selection(): string {
    return this.selections.ofUser;
  }

  /**
   * The same for a statement that inserts `u`. No rows can refer to a user that does not exist yet, so nothing is
   * looked up: the look-ups would add a third to the cost of the statement.
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

  /** Called when the user is deleted, but not when a merge removes it. */
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

  async addresses(environmentId: EnvironmentId, userId: string, on?: Executor): Promise<HeldAddress[]> {
    const all: HeldAddress[] = [];
    for (const facet of this.facets) all.push(...((await facet.addresses?.(environmentId, userId, on)) ?? []));
    return all;
  }

  /** @returns what each facet needs to undo it, by facet name */
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

  /** Records the wallets the user has just signed with as connected. The user is locked from here on. */
  connect(environmentId: EnvironmentId, userId: string, shown: readonly ConnectedWallet[], tx: Transaction): void {
    for (const one of shown) {
      if (one.key.kind !== 'wallet') continue;
      for (const { credentials } of this.facets) credentials?.connect(environmentId, userId, one, tx);
    }
  }
}

const listedOfUser = (rows: SubjectRows): string => listJsonOf(rows, 'u');

const listedOfNewUser = (rows: SubjectRows): string =>
  refersTo(rows.entity, rows.subject, 'users') ? "'[]'::json" : listedOfUser(rows);
