import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentsRepository } from './environments.repository.js';

/** Gives transactions the id of the console environment. */
@Injectable()
export class ConsoleEnvironment {
  private known: EnvironmentId | null = null;

  constructor(private readonly environments: EnvironmentsRepository) {}

  /** Looked up once per process, on the caller's connection: the environment exists before any organization does. */
  async idOn(tx: Transaction): Promise<EnvironmentId> {
    this.known ??= await this.environments.findConsole(tx);
    if (!this.known) throw new Error('There is no console environment.');
    return this.known;
  }
}
