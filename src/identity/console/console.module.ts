import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../organizations/index.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { ConsoleMailboxes } from './console-mailboxes.js';
import { ConsolePeople } from './console-people.js';
import { ConsoleSessionStrategy } from './console-session.strategy.js';

/** The users of the console environment as members of organizations. */
@Module({
  imports: [OrganizationsModule, CredentialsModule, UsersModule, SessionsModule],
  providers: [ConsoleSessionStrategy, ConsolePeople, ConsoleMailboxes],
})
export class ConsoleModule {}
