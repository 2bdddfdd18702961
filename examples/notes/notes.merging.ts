import { Injectable } from '@nestjs/common';
import { MergingPart, merges, type MergedTable } from '../../src/database/index.js';
import { NoteRow } from './note.entity.js';

export const NOTES_MERGED: readonly MergedTable[] = [
  merges(NoteRow, { subject: 'userId', fate: 'moved', what: 'notes', why: 'they are about the person' }),
];

/** Handles notes about a user who is merged into another. */
@Injectable()
export class NotesMerging extends MergingPart {
  readonly merging = NOTES_MERGED;
}
