import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { EnvironmentId, MovedColumns, MovedLimit, Reach, Transaction } from '../database/index.js';
import type { HpkeMessage, SealContext } from '../vault/index.js';

/** A row as stored in the archive, by column name, without sealed values. */
export type ArchivedRow = Readonly<Record<string, unknown>>;

/** The recipient and the context of a secret in transit: it can be opened for nothing else. */
export interface Passage {
  readonly publicKey: Uint8Array;
  readonly info: Uint8Array;
  readonly aad: Uint8Array;
}

/** A secret in transit, with what is needed to open it. */
export interface Arrival extends HpkeMessage {
  readonly secret: Uint8Array;
  readonly info: Uint8Array;
  readonly aad: Uint8Array;
}

export interface SealedAnew {
  readonly sealed: Buffer;
  readonly masterKeyId: string;
}

/** Moves secrets from the master key of one installation to that of another. */
export interface SealHands {
  /** @returns the secret, sealed to the operator */
  release(environmentId: EnvironmentId, row: ArchivedRow, sealed: Buffer, passage: Passage): Promise<HpkeMessage>;
  /** @returns the secret under the master key; null if it cannot be opened */
  admit(environmentId: EnvironmentId, row: ArchivedRow, arrival: Arrival): Promise<SealedAnew | null>;
  /** Called with the rows about to be released, before any of them leaves. */
  releasing?(environmentId: EnvironmentId, rows: readonly ArchivedRow[], tx: Transaction): Promise<void>;
  /** Called with the imported rows, in the transaction that writes them. */
  admitted?(environmentId: EnvironmentId, rows: readonly ArchivedRow[], tx: Transaction): Promise<void>;
}

/** A sealed column of a table, whose `master_key_id` names the master key. */
export interface MovedSeal<C extends string = string> {
  readonly column: C;
  /** The seal context for a row; or what opens and seals it, if that is not the envelope of this process. */
  readonly by: ((row: ArchivedRow) => SealContext) | SealHands;
}

/** Columns that stay behind, and their values in the imported rows. */
export interface Renewal<C extends string = string> {
  readonly columns: readonly C[];
  /** What stays behind, and the consequence: operators read it before anything moves. */
  readonly reason: string;
  /** @returns values by column name; bytes as `\x` and hexadecimal */
  make(environmentId: EnvironmentId, row: ArchivedRow): Promise<Record<string, unknown>>;
}

/** Columns derived from others. Computed on import: the exporting version may not have had them. */
export interface Derivation<C extends string = string> {
  readonly columns: readonly C[];
  /** @returns values by column name */
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
  /** For rows that may exist already: limited by the environment's row in another table. */
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

/** @param reason at least ten characters */
export function stays(reason: string, ...entities: (new () => ObjectLiteral)[]): StayingTable[] {
  if (reason.trim().length < 10) throw new Error('A table that stays needs a reason that tells operators something.');
  return entities.map((entity) => ({ entity, reason }));
}

/** Contexts register here at start which parts of their tables move with an environment. */
@Injectable()
export class MovingParts {
  private readonly parts: MovingPart[] = [];

  register(part: MovingPart): void {
    this.parts.push(part);
  }

  get moving(): MovedTable[] {
    return this.parts.flatMap(({ moving }) => moving);
  }

  get staying(): StayingTable[] {
    return this.parts.flatMap(({ staying }) => staying);
  }

  async exporting(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    for (const part of this.parts) await part.exporting?.(environmentId, tx);
  }

  async importing(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    for (const part of this.parts) await part.importing?.(environmentId, tx);
  }

  async imported(environmentId: EnvironmentId, missed: ReadonlySet<string>, tx: Transaction): Promise<void> {
    for (const part of this.parts) await part.imported?.(environmentId, missed, tx);
  }
}

/** A context's declarations about its tables: each one moves with its environment, or stays for a reason. */
@Injectable()
export abstract class MovingPart implements OnModuleInit {
  abstract readonly moving: readonly MovedTable[];
  abstract readonly staying: readonly StayingTable[];

  constructor(private readonly parts: MovingParts) {}

  onModuleInit(): void {
    this.parts.register(this);
  }

  /** Called before an export reads the rows: what this writes is in the archive, too. */
  exporting?(environmentId: EnvironmentId, tx: Transaction): Promise<void>;

  /** Called in the transaction that begins an import, which has written the environment. @throws MovingRefusedError */
  importing?(environmentId: EnvironmentId, tx: Transaction): Promise<void>;

  /**
   * Called in the transaction that makes the environment available, with all its rows written. Migrations have changed
   * the rows stored here, but not those in an archive of an earlier version: this makes up for the ones it missed.
   */
  imported?(environmentId: EnvironmentId, missed: ReadonlySet<string>, tx: Transaction): Promise<void>;
}
