import { Injectable } from '@nestjs/common';
import type { EnvironmentId, EnvironmentKind } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';

/** What is known of an environment when it is created. */
export interface NewEnvironment {
  kind: EnvironmentKind;
  /** Of the project it belongs to; null for the console environment. */
  projectName: string | null;
}

/** What a context puts into an environment when it is created. */
export abstract class EnvironmentInitializer {
  abstract initialize(environmentId: EnvironmentId, made: NewEnvironment, tx: Transaction): Promise<void>;
}

/** Contexts above register here at start; they run in that order, inside the transaction that creates the environment. */
@Injectable()
export class EnvironmentInitializers {
  private readonly initializers: EnvironmentInitializer[] = [];

  register(initializer: EnvironmentInitializer): void {
    this.initializers.push(initializer);
  }

  async initialize(environmentId: EnvironmentId, made: NewEnvironment, tx: Transaction): Promise<void> {
    for (const initializer of this.initializers) await initializer.initialize(environmentId, made, tx);
  }
}
