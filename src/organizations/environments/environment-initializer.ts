import { Injectable } from '@nestjs/common';
import type { EnvironmentId, EnvironmentKind } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';

/** What is known about an environment at creation. */
export interface NewEnvironment {
  kind: EnvironmentKind;
  /** The name of its project; null for the console environment. */
  projectName: string | null;
}

/** Initial data that a context adds to each new environment. */
export abstract class EnvironmentInitializer {
  /** Slow work before the transaction, such as creating and sealing keys. The result is passed to `initialize`. */
  prepare(_environmentId: EnvironmentId): Promise<unknown> {
    return Promise.resolve(null);
  }

  abstract initialize(
    environmentId: EnvironmentId,
    made: NewEnvironment,
    tx: Transaction,
    prepared: unknown,
  ): Promise<void>;
}

export interface PreparedEnvironment {
  readonly environmentId: EnvironmentId;
  readonly parts: ReadonlyMap<EnvironmentInitializer, unknown>;
}

/** Contexts above register here at start-up; run in that order, in the transaction that creates the environment. */
@Injectable()
export class EnvironmentInitializers {
  private readonly initializers: EnvironmentInitializer[] = [];

  register(initializer: EnvironmentInitializer): void {
    this.initializers.push(initializer);
  }

  /** Prepares a new environment before its transaction. */
  async prepare(environmentId: EnvironmentId): Promise<PreparedEnvironment> {
    const parts = new Map<EnvironmentInitializer, unknown>();
    for (const initializer of this.initializers) parts.set(initializer, await initializer.prepare(environmentId));
    return { environmentId, parts };
  }

  async initialize(
    { environmentId, parts }: PreparedEnvironment,
    made: NewEnvironment,
    tx: Transaction,
  ): Promise<void> {
    for (const initializer of this.initializers) {
      await initializer.initialize(environmentId, made, tx, parts.get(initializer));
    }
  }
}
