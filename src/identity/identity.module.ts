import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SESSION_CONTROLLERS, SESSION_ENTITIES, SESSION_PROVIDERS } from './sessions/sessions.parts.js';
import { USER_CONTROLLERS, USER_ENTITIES, USER_PROVIDERS } from './users/users.parts.js';

/** Who the users of an environment are, and how they prove it. */
@Global()
@Module({
  imports: [JwtModule.register({}), TypeOrmModule.forFeature([...USER_ENTITIES, ...SESSION_ENTITIES])],
  controllers: [...USER_CONTROLLERS, ...SESSION_CONTROLLERS],
  providers: [...USER_PROVIDERS, ...SESSION_PROVIDERS],
  exports: [...USER_PROVIDERS, ...SESSION_PROVIDERS],
})
export class IdentityModule {}
