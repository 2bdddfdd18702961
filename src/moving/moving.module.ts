import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArchiveReader } from './archive-reader.js';
import { EnvironmentExport } from './environment-export.js';
import { EnvironmentImport } from './environment-import.js';
import { EnvironmentImportRow } from './environment-import.entity.js';
import { EnvironmentImportsRepository } from './environment-imports.repository.js';
import { EnvironmentSurvey } from './environment-survey.js';
import { MovingParts } from './moving-part.js';
import { OwnTables } from './own-tables.js';
import { Seals } from './seals.js';

/** Moves environments from one installation to another. */
@Module({
  imports: [TypeOrmModule.forFeature([EnvironmentImportRow])],
  providers: [
    ArchiveReader,
    EnvironmentExport,
    EnvironmentImport,
    EnvironmentImportsRepository,
    EnvironmentSurvey,
    MovingParts,
    OwnTables,
    Seals,
  ],
  exports: [ArchiveReader, EnvironmentExport, EnvironmentImport, EnvironmentSurvey, MovingParts],
})
export class MovingModule {}
