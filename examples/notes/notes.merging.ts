import { Injectable } from '@nestjs/common';
import { MergingPart, merges } from '../../src/database/index.js';
import { NoteRow } from './note.entity.js';

/** What becomes of notes about a user who goes up in another one. */
@Injectable()
export class NotesMerging extends MergingPart {
  readonly merging = [
    merges(NoteRow, { subject: 'userId', fate: 'moved', what: 'notes', why: 'they are about the person' }),
  ];
}
