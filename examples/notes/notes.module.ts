import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../../src/organizations/index.js';
import { NoteRow } from './note.entity.js';
import { NotesController } from './notes.controller.js';
import { NotesMerging } from './notes.merging.js';
import { NotesRepository } from './notes.repository.js';
import { NotesService } from './notes.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([NoteRow]), OrganizationsModule],
  controllers: [NotesController],
  providers: [NotesMerging, NotesService, NotesRepository],
})
export class NotesModule {}
