import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MovingModule } from '../../src/moving/index.js';
import { OrganizationsModule } from '../../src/organizations/index.js';
import { NoteRow } from './note.entity.js';
import { NotesController } from './notes.controller.js';
import { NotesMerging } from './notes.merging.js';
import { NotesMoving } from './notes.moving.js';
import { NotesRepository } from './notes.repository.js';
import { NotesService } from './notes.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([NoteRow]), MovingModule, OrganizationsModule],
  controllers: [NotesController],
  providers: [NotesMerging, NotesMoving, NotesService, NotesRepository],
})
export class NotesModule {}
