import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import { MovingModule } from '../../moving/index.js';
import { IdentityModule } from '../../identity/index.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { ExportDownload, ExportRow } from './export.entities.js';
import { ExportErasure } from './export-erasure.js';
import { ExportDownloadsController } from './export-downloads.controller.js';
import { ExportRecordsRepository } from './export-records.repository.js';
import { ExportWriter } from './export-writer.js';
import { ExportsController } from './exports.controller.js';
import { ExportsJob } from './exports.job.js';
import { ExportsMoving } from './exports.moving.js';
import { ExportsPurge } from './exports-purge.job.js';
import { ExportsRepository } from './exports.repository.js';
import { ExportsService } from './exports.service.js';
import { chosenStorage } from './storage/chosen-storage.js';
import { ExportStorage } from './storage/export-storage.js';

/** Export files of users and visits. */
@Module({
  imports: [IdentityModule, MovingModule, TypeOrmModule.forFeature([ExportRow, ExportDownload]), OrganizationsModule],
  controllers: [ExportsController, ExportDownloadsController],
  providers: [
    ...[
      ExportsService,
      ExportErasure,
      ExportsRepository,
      ExportRecordsRepository,
      ExportWriter,
      ExportsJob,
      ExportsMoving,
      ExportsPurge,
    ],
    { provide: ExportStorage, useFactory: chosenStorage, inject: [Config, Clock] },
  ],
})
export class ExportsModule {}
