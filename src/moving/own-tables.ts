import { Injectable } from '@nestjs/common';
import { OutboxEvent } from '../database/index.js';
import { EnvironmentImportRow } from './environment-import.entity.js';
import { MovingPart, stays } from './moving-part.js';

/** The tables of this layer, below every context. */
@Injectable()
export class OwnTables extends MovingPart {
  readonly moving = [];
  readonly staying = [
    ...stays('events tell what happened here, and are delivered from here', OutboxEvent),
    ...stays('says how far an import has come', EnvironmentImportRow),
  ];
}
