export type OperationKind = 'createUser' | 'updateUser' | 'createWallet' | 'signIn' | 'getUser';

/**
 * What a client knows: `ok` was acknowledged, `refused` failed for a reason on the client's side, and the outcome of
 * `unknown` (no response, or a server error) can only be found in the database.
 */
export type Outcome = 'open' | 'ok' | 'refused' | 'unknown';

export interface Operation {
  readonly kind: OperationKind;
  /** The subject: an email, a user or a code, by the id that the client knows. */
  readonly key: string;
  /** The value that an update writes. */
  readonly value: string | null;
  /** Milliseconds of `performance.now`. */
  readonly invokedAt: number;
  readonly outcome: Outcome;
  readonly endedAt: number | null;
  readonly status: number | null;
  /** The connection error if there was no response. */
  readonly error: string | null;
  /** The id in the response. */
  readonly resultId: string | null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The response to an operation. */
export interface Answer {
  readonly status: number | null;
  readonly error?: string;
  readonly resultId?: string | null;
}

/** Everything that clients requested, and the responses. */
export class Ledger {
  readonly operations: Operation[] = [];

  /** Records the start of an operation; the returned function records its end. */
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
