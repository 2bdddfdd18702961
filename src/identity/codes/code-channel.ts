import type { ClientOrigin } from '../../auth/index.js';
import type { ErrorFactory } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../database/index.js';
import type { ChannelName } from './codes.repository.js';

/** A channel's errors for a rejected code. */
export interface CodeErrors {
  wrong: ErrorFactory;
  tooMany: ErrorFactory;
  unknown: ErrorFactory;
}

/** A channel for one-time codes, and what differs between channels. */
export abstract class CodeChannel {
  abstract readonly name: ChannelName;
  abstract readonly ttlMinutes: number;
  abstract readonly errors: CodeErrors;

  /** The address, normalised so that equal means the same person. @throws ApiError 422 if it is not an address */
  abstract normalise(address: string): string;

  /** @throws ApiError 422 if the environment has this method disabled */
  abstract assertEnabled(environmentId: EnvironmentId): Promise<void>;

  /** @throws ApiError 422 if nothing is sent to this address, before anything is counted or stored */
  abstract assertReaches(environmentId: EnvironmentId, address: string): Promise<void>;

  /** A new code, or the fixed one of the environment's test account. */
  abstract codeFor(environmentId: EnvironmentId, address: string): Promise<string>;

  /** Whether a correct code may still be used. */
  abstract isGood(environmentId: EnvironmentId, address: string): Promise<boolean>;

  /** Sends the message. @param client who requested it */
  abstract send(environmentId: EnvironmentId, address: string, code: string, client: ClientOrigin): Promise<void>;
}
