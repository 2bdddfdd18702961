import {
  DateField,
  defineEnum,
  EnumField,
  IntegerField,
  ListField,
  RefField,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { QueryGroup, QueryInteger } from '../../common/fields/query-fields.js';
import { CHAINS, type Chain } from '../vocabulary/chains.js';
import { WALLET_PROVIDERS, type WalletProvider } from '../vocabulary/wallets.js';

/** A wallet that connected without signing in, as the API shows it. Ownership is not proven. */
export class Visitor {
  @UuidField()
  id!: string;

  @StringField({ max: 255, example: '0x52908400098527886E0F7030069857D2E4169EE7' })
  address!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ max: 255, example: 'metamask' })
  walletName!: string;

  @EnumField(WALLET_PROVIDERS)
  provider!: WalletProvider;

  @DateField({ description: 'The first visit.' })
  createdAt!: Date;

  @UuidField({ optional: true, description: 'The environment.' })
  projectEnvironmentId?: string;
}

export class VisitorsResponse {
  @IntegerField({ optional: true, description: 'All that match the filter; for one address at most 10 000.' })
  count?: number;

  @ListField(() => Visitor, { optional: true })
  visitors?: Visitor[];
}

export const VISITOR_FILTER_COLUMNS = defineEnum('VisitorFilterableFieldsEnum', ['all', 'id', 'walletPublicKey']);

export class VisitorSearchFilterParams {
  @StringField({ optional: true })
  filterValue?: string;

  @EnumField(VISITOR_FILTER_COLUMNS, { optional: true })
  filterColumn?: EnumValue<typeof VISITOR_FILTER_COLUMNS>;

  @EnumField(CHAINS, { optional: true })
  chain?: Chain;
}

export const DEFAULT_VISITORS = 20;

export class ListVisitorsQuery {
  @QueryGroup(() => VisitorSearchFilterParams, { optional: true })
  filter?: VisitorSearchFilterParams;

  @StringField({
    optional: true,
    pattern: /^[A-Za-z]*-(asc|desc)$/,
    example: 'createdAt-desc',
    description: 'createdAt-asc or createdAt-desc.',
  })
  orderBy?: string;

  @QueryInteger({ optional: true, min: 0, default: 0 })
  offset?: number;

  @QueryInteger({ optional: true, min: 1, max: 100, default: DEFAULT_VISITORS })
  limit?: number;
}

export class VisitCounts {
  @IntegerField({ optional: true })
  count?: number;

  @IntegerField({ optional: true, description: 'Distinct visitors in the last 30 days, including this one.' })
  uniquePastMonth?: number;
}

export class EnvironmentVisitorsResponse {
  @RefField(() => VisitCounts, { optional: true, description: 'Number of users.' })
  users?: VisitCounts;

  @RefField(() => VisitCounts, { optional: true, description: 'Wallets that connected without signing in.' })
  visitors?: VisitCounts;
}
