import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Executor } from '../../database/index.js';
import { EnvironmentsProvisioner, Mailboxes, type MailboxSource } from '../../organizations/index.js';
import { identifierKeyOf } from '../credentials/identifier-key.js';
import { IdentifierClaimsRepository } from '../credentials/identifier-claims.repository.js';
import { normaliseEmail } from '../credentials/identifiers.js';

/** Email addresses of dashboard users, who are the users of the console environment. */
@Injectable()
export class ConsoleMailboxes implements MailboxSource, OnModuleInit {
  constructor(
    private readonly mailboxes: Mailboxes,
    private readonly claims: IdentifierClaimsRepository,
    private readonly environments: EnvironmentsProvisioner,
  ) {}

  onModuleInit(): void {
    this.mailboxes.register(this);
  }

  normalise(address: string): string | null {
    return normaliseEmail(address)?.normal ?? null;
  }

  async listProven(userId: string, on?: Executor): Promise<string[]> {
    return this.claims.listProvenEmails(await this.environments.ensureConsole(), userId, on);
  }

  async findUser(address: string): Promise<string | null> {
    const key = identifierKeyOf({ kind: 'email', value: address });
    return (await this.claims.find(await this.environments.ensureConsole(), key)).userId;
  }
}
