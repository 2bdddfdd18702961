export type OperationKind = 'createUser' | 'updateUser' | 'createWallet' | 'signIn' | 'getUser';

/**
 * What a client knows: `ok` was acknowledged, `refused` was answered with a reason of the client's own making, and what
 * became of `unknown` (no answer, or one that tells of a fault of the server) only the database can tell.
 */
export type Outcome = 'open' | 'ok' | 'refused' | 'unknown';

export interface Operation {
  readonly kind: OperationKind;
  /** What it is about: an email, a user or a code, by the id that the client knows. */
  readonly key: string;
  /** What an update writes. */
  readonly value: string | null;
  /** Milliseconds of `performance.now`. */
  readonly invokedAt: number;
  readonly outcome: Outcome;
  readonly endedAt: number | null;
  readonly status: number | null;
  /** Of an answer that never came: what the connection said. */
  readonly error: string | null;
  /** The id in the answer. */
  readonly resultId: string | null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What the answer to an operation was. */
export interface Answer {
  readonly status: number | null;
  readonly error?: string;
  readonly resultId?: string | null;
}

/** Everything that clients asked for, and what they were told. */
export class Ledger {
  readonly operations: Operation[] = [];

  /** Writes down that an operation begins; the answer of the function writes down how it ended. */
  invoke(kind: OperationKind, key: string, value: string | null = null): (answer: Answer) => Operation {
    const operation: Mutable<Operation> = {
      ...{ kind, key, value, invokedAt: performance.now(), outcome: 'open' },
      ...{ endedAt: null, status: null, error: null, resultId: null },
    };
    this.operations.push(operation);
    return ({ status, error = null, resultId = null }) => {
      Object.assign(operation, { endedAt: performance.now(), status, error, resultId, outcome: outcomeOf(status) });
      return operation;
    };
  }

  get open(): number {
    return this.operations.filter(({ outcome }) => outcome === 'open').length;
  }
}

function outcomeOf(status: number | null): Outcome {
  if (status === null || status >= 500) return 'unknown';
  return status < 400 ? 'ok' : 'refused';
}
