import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../database/index.js';
import { PeopleDirectory, type PeopleSource } from '../../organizations/index.js';
import { UsersRepository } from '../users/users.repository.js';

/** Names of dashboard users, who are the users of the console environment. */
@Injectable()
export class ConsolePeople implements PeopleSource, OnModuleInit {
  constructor(
    private readonly directory: PeopleDirectory,
    private readonly users: UsersRepository,
  ) {}

  onModuleInit(): void {
    this.directory.register(this);
  }

  async findPeople(userIds: readonly string[]) {
    if (userIds.length === 0) return new Map();
    const people = await this.users.listPeople(userIds);
    return new Map(
      people.map(({ id, alias, firstName, lastName, email }) => [
        id,
        {
          id,
          ...(alias !== null && { alias }),
          ...(firstName !== null && { firstName }),
          ...(lastName !== null && { lastName }),
          ...(email !== null && { email }),
        },
      ]),
    );
  }

  lockPerson(userId: string, tx: Transaction): Promise<boolean> {
    return this.users.lockPerson(userId, tx);
  }
}
