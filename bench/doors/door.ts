import type { LoadRequest } from '../load/load-job.js';
import type { RowName } from '../report/goals.js';

/** The site that people are on when they sign in. */
export const SITE = 'https://app.bench.example';

/** Where the door is: the environment, in the database that service and bare server share. */
export interface Place {
  readonly databaseUrl: string;
  readonly environmentId: string;
}

/** A way to sign in. */
export interface Door {
  readonly row: RowName;
  /** Sign-ins a millisecond to begin for each server; checking the proof allows fewer. */
  readonly begunPerMs: number;
  /** Whether people exist only after they have come in once. */
  readonly opensAccounts: boolean;
  /**
   * Plants what has been begun and waits to be finished: one request for each of `count` sign-ins, good once and at either
   * server. People take turns.
   */
  begun(place: Place, count: number): Promise<LoadRequest[]>;
}

export const doorRequest = (environmentId: string, path: string, body: object): LoadRequest => ({
  method: 'POST',
  path: `/api/v0/sdk/${environmentId}/${path}`,
  headers: { 'content-type': 'application/json', origin: SITE },
  body: JSON.stringify(body),
});
