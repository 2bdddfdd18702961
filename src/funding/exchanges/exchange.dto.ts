import {
  DateField,
  defineEnum,
  EnumField,
  ListField,
  PickOf,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { PROVIDER_KINDS, type ProviderKind } from '../../providers/index.js';

export const EXCHANGES = defineEnum('ExchangeKeyEnum', ['coinbase', 'kraken']);
export type ExchangeKey = EnumValue<typeof EXCHANGES>;

/** An exchange as the API shows it. Its secrets belong to the providers it names. */
export class Exchange {
  @UuidField({ optional: true })
  id?: string;

  @EnumField(EXCHANGES)
  exchange!: ExchangeKey;

  @DateField({ optional: true, nullable: true, description: 'Null if it is disabled.' })
  enabledAt?: Date | null;

  @EnumField(PROVIDER_KINDS, { optional: true, description: 'The provider for linking accounts.' })
  socialProvider?: ProviderKind;

  @EnumField(PROVIDER_KINDS, { optional: true, description: 'The provider for buying at the exchange.' })
  onRampProvider?: ProviderKind;
}

export class ExchangeCreateRequest extends PickOf(Exchange, ['exchange', 'socialProvider', 'onRampProvider']) {}

export class DeletedExchange extends PickOf(Exchange, ['id', 'exchange']) {}

export class ExchangeResponse {
  @ListField(() => Exchange, { optional: true })
  exchanges?: Exchange[];
}
