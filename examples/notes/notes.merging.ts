import { Injectable } from '@nestjs/common';
import { MergingPart } from '../../src/database/index.js';

/** What becomes of notes about a user who becomes part of another one. */
@Injectable()
export class NotesMerging extends MergingPart {
  readonly merging = [{ table: 'notes', fate: 'moved', what: 'notes', why: 'they are about the person' }] as const;
}
