import { Injectable } from '@nestjs/common';
import { MovingPart, stays } from '../../moving/index.js';
import { ExportDownload, ExportRow } from './export.entities.js';

@Injectable()
export class ExportsMoving extends MovingPart {
  readonly moving = [];
  readonly staying = [...stays('files are in the store of this deployment, for a day', ExportRow, ExportDownload)];
}
