import { Body, Delete, Get, Post } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../src/auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../src/common/http/operation.js';
import { IdParam } from '../../src/common/http/params.js';
import { CallWork, type Work } from '../../src/idempotency/index.js';
import { Note, NoteCreateRequest, NotesResponse } from './note.dto.js';
import { NOTE_CREATED, NOTE_DELETED } from './note.events.js';
import { NotesService } from './notes.service.js';

const SCOPE_READ = 'environment.settings.read';
const SCOPE_WRITE = 'environment.settings.write';

@ApiController('environments/:environmentId/notes', 'Notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Get()
  @Operation({ id: 'listNotes', summary: 'List the notes of an environment' })
  @Dashboard({ scope: SCOPE_READ, role: 'viewer' })
  @Returns(NotesResponse)
  listNotes(@Environment() environmentId: EnvironmentId) {
    return this.notes.list(environmentId);
  }

  @Post()
  @Operation({
    id: 'createNote',
    idempotent: true,
    summary: 'Write a note',
    events: [NOTE_CREATED.name],
    limits: ['100 notes in an environment'],
  })
  @Dashboard({ scope: SCOPE_WRITE, role: 'developer' })
  @Returns(Note, { status: 201 })
  createNote(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: NoteCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.notes.create(environmentId, request, caller, work);
  }

  @Delete(':noteId')
  @Operation({ id: 'deleteNote', summary: 'Delete a note', events: [NOTE_DELETED.name] })
  @Dashboard({ scope: SCOPE_WRITE, role: 'developer' })
  @ReturnsNothing()
  deleteNote(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @IdParam('noteId') id: string,
  ) {
    return this.notes.delete(environmentId, id, caller);
  }
}
