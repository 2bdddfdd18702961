import { Injectable } from '@nestjs/common';
import { MovingPart, moves, stays } from '../moving/index.js';
import { ExchangeRow } from './exchanges/exchange.entity.js';
import { RampOrder } from './ramps/ramp-order.entity.js';
import { ExchangeTransfer } from './transfers/exchange-transfer.entity.js';

@Injectable()
export class FundingMoving extends MovingPart {
  readonly moving = [moves(ExchangeRow)];
  readonly staying = [
    ...stays('money is followed to its end by the installation that sent it', ExchangeTransfer, RampOrder),
  ];
}
