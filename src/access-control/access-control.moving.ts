import { Injectable } from '@nestjs/common';
import { MovingPart, moves } from '../moving/index.js';
import { AllowlistEntryKey, AllowlistEntryRow, AllowlistRow } from './allowlists/allowlist.entity.js';
import { AccessGrantRow } from './decisions/access-grant.entity.js';
import { GateRow } from './gates/gate.entity.js';
import { ScreeningCheckRow, ScreeningIntegrationRow } from './screening/screening.entities.js';

@Injectable()
export class AccessControlMoving extends MovingPart {
  readonly moving = [
    moves(GateRow),
    moves(AllowlistRow),
    moves(AllowlistEntryRow),
    moves(AllowlistEntryKey),
    moves(AccessGrantRow),
    moves(ScreeningIntegrationRow),
    moves(ScreeningCheckRow),
  ];
  readonly staying = [];
}
