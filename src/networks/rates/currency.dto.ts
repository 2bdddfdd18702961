import {
  BooleanField,
  DateField,
  defineEnum,
  EnumField,
  NumberField,
  StringField,
  type EnumValue,
} from '../../common/fields/index.js';

const CURRENCY_TYPES = defineEnum('CurrencyType', ['fiat', 'crypto']);

/** A currency with its exchange rate. */
export class Currency {
  @StringField()
  name!: string;

  @StringField()
  symbol!: string;

  @EnumField(CURRENCY_TYPES)
  type!: EnumValue<typeof CURRENCY_TYPES>;

  @StringField({ example: 'EUR' })
  code!: string;

  @NumberField({ description: 'Units of the currency per US dollar.', example: 0.92 })
  value!: number;

  @StringField({ optional: true, description: 'Source of the rate: `coinbase`, `coingecko` or `ecb`.' })
  source?: string;

  @DateField({ optional: true, description: 'When the source set the rate.' })
  asOf?: Date;

  @BooleanField({ optional: true, description: 'Whether the rate is more than ten minutes old.' })
  isStale?: boolean;
}
