import type { LoadRequest } from '../load/load-job.js';
import type { RowName } from '../report/goals.js';

/** The site on which people sign in. */
export const SITE = 'https://app.bench.example';

/** The environment of a door, in the database shared by the service and the bare server. */
export interface Place {
  readonly databaseUrl: string;
  readonly environmentId: string;
}

/** A sign-in method. */
export interface Door {
  readonly row: RowName;
  /** Sign-ins to begin per millisecond for each server; verifying the proof allows fewer. */
  readonly begunPerMs: number;
  /** Whether a user exists only after the first sign-in. */
  readonly opensAccounts: boolean;
  /**
   * Plants sign-ins that have begun: one request to finish each of `count` sign-ins, single-use and valid at either
   * server. Users take turns.
   */
  begun(place: Place, count: number): Promise<LoadRequest[]>;
}

export const doorRequest = (environmentId: string, path: string, body: object): LoadRequest => ({
  method: 'POST',
  path: `/api/v0/sdk/${environmentId}/${path}`,
  headers: { 'content-type': 'application/json', origin: SITE },
  body: JSON.stringify(body),
});
