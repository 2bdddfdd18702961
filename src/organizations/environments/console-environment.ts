import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentsRepository } from './environments.repository.js';

/** The console environment as transactions ask for it. */
@Injectable()
export class ConsoleEnvironment {
  private known: EnvironmentId | null = null;

  constructor(private readonly environments: EnvironmentsRepository) {}

  /** Looked up once in the life of the process, on the connection of the caller: it exists before any organization. */
  async idOn(tx: Transaction): Promise<EnvironmentId> {
    this.known ??= await this.environments.findConsole(tx);
    if (!this.known) throw new Error('There is no console environment.');
    return this.known;
  }
}
