import { Injectable, type PipeTransform } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { EXCHANGES, type ExchangeKey } from '../exchanges/exchange.dto.js';

/** An exchange name in a path. @throws ApiError 404 for an unknown name */
@Injectable()
export class KnownExchange implements PipeTransform<string, ExchangeKey> {
  transform(value: string): ExchangeKey {
    const known = EXCHANGES.values.find((name) => name === value);
    if (!known) throw notFound();
    return known;
  }
}
