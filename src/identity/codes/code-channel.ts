import type { ClientOrigin } from '../../auth/index.js';
import type { ErrorFactory } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../database/index.js';
import type { ChannelName } from './codes.repository.js';

/** What a channel says to a client whose code is no good. */
export interface CodeErrors {
  wrong: ErrorFactory;
  tooMany: ErrorFactory;
  unknown: ErrorFactory;
}

/** How one-time codes reach people, and the little in which one way differs from another. */
export abstract class CodeChannel {
  abstract readonly name: ChannelName;
  abstract readonly ttlMinutes: number;
  abstract readonly errors: CodeErrors;

  /** The address in the form in which equal means the same person. @throws ApiError 422 when it is not an address */
  abstract normalise(address: string): string;

  /** @throws ApiError 422 when the environment does not let people in this way */
  abstract assertEnabled(environmentId: EnvironmentId): Promise<void>;

  /** @throws ApiError 422 when this address is sent nothing here, before anything is counted or stored */
  abstract assertReaches(environmentId: EnvironmentId, address: string): Promise<void>;

  /** A new code, or the fixed one of the environment's test account. */
  abstract codeFor(environmentId: EnvironmentId, address: string): Promise<string>;

  /** Whether a code that was right may still be used. */
  abstract isGood(environmentId: EnvironmentId, address: string): Promise<boolean>;

  /** Hands the message over. @param client who asked for it */
  abstract send(environmentId: EnvironmentId, address: string, code: string, client: ClientOrigin): Promise<void>;
}
