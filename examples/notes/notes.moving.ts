import { Injectable } from '@nestjs/common';
import { MovingPart, moves } from '../../src/moving/index.js';
import { NoteRow } from './note.entity.js';

/** Notes move with their environment. */
@Injectable()
export class NotesMoving extends MovingPart {
  readonly moving = [moves(NoteRow)];
  readonly staying = [];
}
