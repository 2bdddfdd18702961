import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../../environments/index.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { AskedFieldsRow } from './asked-fields.entity.js';
import { CustomFieldController } from './custom-field.controller.js';
import { CustomFieldOwner } from './custom-field-owner.js';
import { CustomFieldRow } from './custom-field.entity.js';
import { CustomFieldValueRow } from './custom-field-value.entity.js';
import { CustomFieldsController } from './custom-fields.controller.js';
import { CustomFieldsPart } from './custom-fields.part.js';
import { CustomFieldsRepository } from './custom-fields.repository.js';
import { CustomFieldsService } from './custom-fields.service.js';
import { KnownCustomFields } from './known-custom-fields.js';

/** Fields that customers add to the profile. */
@Module({
  imports: [
    EnvironmentsModule,
    OrganizationsModule,
    TypeOrmModule.forFeature([CustomFieldRow, CustomFieldValueRow, AskedFieldsRow]),
  ],
  controllers: [CustomFieldsController, CustomFieldController],
  providers: [CustomFieldsRepository, CustomFieldsService, CustomFieldOwner, CustomFieldsPart, KnownCustomFields],
  exports: [CustomFieldsRepository, KnownCustomFields],
})
export class CustomFieldsModule {}
