import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../environments/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { ProvidersModule } from '../providers/index.js';
import {
  CUSTOM_FIELD_CONTROLLERS,
  CUSTOM_FIELD_ENTITIES,
  CUSTOM_FIELD_PROVIDERS,
} from './custom-fields/custom-fields.parts.js';
import { SESSION_CONTROLLERS, SESSION_ENTITIES, SESSION_PROVIDERS } from './sessions/sessions.parts.js';
import { USER_CONTROLLERS, USER_ENTITIES, USER_PROVIDERS } from './users/users.parts.js';

/** Who the users of an environment are, and how they prove it. */
@Module({
  imports: [
    OrganizationsModule,
    EnvironmentsModule,
    ProvidersModule,
    JwtModule.register({}),
    TypeOrmModule.forFeature([...USER_ENTITIES, ...SESSION_ENTITIES, ...CUSTOM_FIELD_ENTITIES]),
  ],
  controllers: [...USER_CONTROLLERS, ...SESSION_CONTROLLERS, ...CUSTOM_FIELD_CONTROLLERS],
  providers: [...USER_PROVIDERS, ...SESSION_PROVIDERS, ...CUSTOM_FIELD_PROVIDERS],
  exports: [...USER_PROVIDERS, ...SESSION_PROVIDERS, ...CUSTOM_FIELD_PROVIDERS],
})
export class IdentityModule {}
