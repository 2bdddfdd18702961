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

/** What a currency is worth. */
export class Currency {
  @StringField()
  name!: string;

  @StringField()
  symbol!: string;

  @EnumField(CURRENCY_TYPES)
  type!: EnumValue<typeof CURRENCY_TYPES>;

  @StringField({ example: 'EUR' })
  code!: string;

  @NumberField({ description: 'How much of the currency one US dollar is.', example: 0.92 })
  value!: number;

  @StringField({ optional: true, description: 'Who says so: `coinbase`, `coingecko` or `ecb`.' })
  source?: string;

  @DateField({ optional: true, description: 'Since when the source says so.' })
  asOf?: Date;

  @BooleanField({ optional: true, description: 'Whether that is more than ten minutes ago.' })
  isStale?: boolean;
}
