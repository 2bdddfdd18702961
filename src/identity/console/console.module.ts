import { Global, Module } from '@nestjs/common';
import { Mailboxes, PeopleDirectory } from '../../organizations/index.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { ConsoleMailboxes } from './console-mailboxes.js';
import { ConsolePeople } from './console-people.js';
import { ConsoleSessionStrategy } from './console-session.strategy.js';

/**
 * The users of the console environment as members of organizations. Global, because organizations lie below and ask
 * through ports of their own.
 */
@Global()
@Module({
  imports: [CredentialsModule, UsersModule, SessionsModule],
  providers: [
    ConsoleSessionStrategy,
    { provide: PeopleDirectory, useClass: ConsolePeople },
    { provide: Mailboxes, useClass: ConsoleMailboxes },
  ],
  exports: [PeopleDirectory, Mailboxes],
})
export class ConsoleModule {}
