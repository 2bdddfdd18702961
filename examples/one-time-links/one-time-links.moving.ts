import { Injectable } from '@nestjs/common';
import { MovingPart, stays } from '../../src/moving/index.js';
import { OneTimeLinkRow } from './one-time-link.entity.js';

/** A link points to the installation that created it. */
@Injectable()
export class OneTimeLinksMoving extends MovingPart {
  readonly moving = [];
  readonly staying = stays('a link leads here, and is good for an hour', OneTimeLinkRow);
}
