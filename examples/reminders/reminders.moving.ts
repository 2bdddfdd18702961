import { Injectable } from '@nestjs/common';
import { MovingPart, moves } from '../../src/moving/index.js';
import { Reminder } from './reminder.entity.js';

/** Reminders move with their environment. */
@Injectable()
export class RemindersMoving extends MovingPart {
  readonly moving = [moves(Reminder)];
  readonly staying = [];
}
