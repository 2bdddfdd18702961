import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../../organizations/index.js';
import { ExportDownload, ExportRow } from './export.entities.js';
import { ExportDownloadsController } from './export-downloads.controller.js';
import { ExportRecordsRepository } from './export-records.repository.js';
import { ExportStorage } from './export-storage.js';
import { ExportWriter } from './export-writer.js';
import { ExportsController } from './exports.controller.js';
import { ExportsJob } from './exports.job.js';
import { ExportsPurge } from './exports-purge.job.js';
import { ExportsRepository } from './exports.repository.js';
import { ExportsService } from './exports.service.js';
import { LocalExportStorage } from './local-export-storage.js';

/** Files of users and visits. Another storage takes the place of the folder by its provider. */
@Module({
  imports: [TypeOrmModule.forFeature([ExportRow, ExportDownload]), OrganizationsModule],
  controllers: [ExportsController, ExportDownloadsController],
  providers: [
    ...[ExportsService, ExportsRepository, ExportRecordsRepository, ExportWriter, ExportsJob, ExportsPurge],
    { provide: ExportStorage, useClass: LocalExportStorage },
  ],
})
export class ExportsModule {}
