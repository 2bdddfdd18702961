import { Injectable } from '@nestjs/common';
import { MovingPart, stays } from '../moving/index.js';
import { IdempotencyKeyRow } from './idempotency-key.entity.js';

@Injectable()
export class IdempotencyMoving extends MovingPart {
  readonly moving = [];
  readonly staying = [...stays('answers to calls that were made here', IdempotencyKeyRow)];
}
