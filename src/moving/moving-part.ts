import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { EnvironmentId, MovedColumns, MovedLimit, Reach, Transaction } from '../database/index.js';
import type { HpkeMessage, SealContext } from '../vault/index.js';
import { MovingParts } from './moving-parts.js';

/** A row as the archive has it, by the names of its columns; without what is sealed. */
export type ArchivedRow = Readonly<Record<string, unknown>>;

/** Whom a secret is sealed to while it is on its way, and what for: it opens for nothing else. */
export interface Passage {
  readonly publicKey: Uint8Array;
  readonly info: Uint8Array;
  readonly aad: Uint8Array;
}

/** A secret on its way, with what opens it. */
export interface Arrival extends HpkeMessage {
  readonly secret: Uint8Array;
  readonly info: Uint8Array;
  readonly aad: Uint8Array;
}

export interface SealedAnew {
  readonly sealed: Buffer;
  readonly masterKeyId: string;
}

/** Takes secrets out from under the master key of one installation and puts them under that of another. */
export interface SealHands {
  /** @returns the secret, sealed to the operator */
  release(environmentId: EnvironmentId, row: ArchivedRow, sealed: Buffer, passage: Passage): Promise<HpkeMessage>;
  /** @returns the secret under the master key; null when it does not open */
  admit(environmentId: EnvironmentId, row: ArchivedRow, arrival: Arrival): Promise<SealedAnew | null>;
  /** Told which rows are about to be released, before anything of them leaves. */
  releasing?(environmentId: EnvironmentId, rows: readonly ArchivedRow[], tx: Transaction): Promise<void>;
  /** Told which rows came, in the transaction that writes them. */
  admitted?(environmentId: EnvironmentId, rows: readonly ArchivedRow[], tx: Transaction): Promise<void>;
}

/** One sealed column of a table, whose master key the column `master_key_id` names. */
export interface MovedSeal<C extends string = string> {
  readonly column: C;
  /** What it is sealed for, by its row; or what opens and seals it, where that is not the envelope of this process. */
  readonly by: ((row: ArchivedRow) => SealContext) | SealHands;
}

/** Columns that stay behind, and what new rows have in their place. */
export interface Renewal<C extends string = string> {
  readonly columns: readonly C[];
  /** What stays, and what comes of it: operators read it before anything moves. */
  readonly reason: string;
  /** @returns values by the names of columns; bytes as `\x` and hexadecimal */
  make(environmentId: EnvironmentId, row: ArchivedRow): Promise<Record<string, unknown>>;
}

/** Columns that follow from others. They are made where a row arrives: the version that it left may not have had them. */
export interface Derivation<C extends string = string> {
  readonly columns: readonly C[];
  /** @returns values by the names of columns */
  make(row: ArchivedRow): Record<string, unknown>;
}

/** A table whose rows move with their environment. */
export interface MovedTable extends MovedColumns {
  readonly seal: MovedSeal | null;
  readonly renewal: Renewal | null;
  readonly derived: Derivation | null;
}

/** A table whose rows stay behind, and why: operators read it before anything moves. */
export interface StayingTable {
  readonly entity: EntityTarget<ObjectLiteral>;
  readonly reason: string;
}

interface Terms<E> {
  reach?: Reach;
  unless?: keyof E & string;
  outlives?: boolean;
  /** For rows that may be there already: no further than the row of their environment in another table says. */
  upTo?: MovedLimit & { readonly column: keyof E & string };
  seal?: MovedSeal<keyof E & string>;
  renewal?: Renewal<keyof E & string>;
  derived?: Derivation<keyof E & string>;
}

const MASTER_KEY = 'masterKeyId';

export function moves<E extends ObjectLiteral>(entity: new () => E, terms: Terms<E> = {}): MovedTable {
  const { reach = 'rows', unless = null, outlives = false, upTo = null } = terms;
  const { seal = null, renewal = null, derived = null } = terms;
  return {
    entity,
    reach,
    unless,
    outlives,
    upTo,
    seal,
    renewal,
    derived,
    sealed: seal ? [seal.column] : [],
    left: [...(seal ? [MASTER_KEY] : []), ...(renewal?.columns ?? [])],
  };
}

export const stays = (reason: string, ...entities: (new () => ObjectLiteral)[]): StayingTable[] =>
  entities.map((entity) => ({ entity, reason }));

/** What a context says about its tables: each of them moves with its environment, or stays for a reason. */
@Injectable()
export abstract class MovingPart implements OnModuleInit {
  abstract readonly moving: readonly MovedTable[];
  abstract readonly staying: readonly StayingTable[];

  constructor(private readonly parts: MovingParts) {}

  onModuleInit(): void {
    this.parts.register(this);
  }
}
