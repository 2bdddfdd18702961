import { Injectable } from '@nestjs/common';
import { MovingPart, moves } from '../../src/moving/index.js';
import { Reminder } from './reminder.entity.js';

/** Reminders go where their environment goes. */
@Injectable()
export class RemindersMoving extends MovingPart {
  readonly moving = [moves(Reminder)];
  readonly staying = [];
}
