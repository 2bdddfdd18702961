import type { ProviderKind } from '../../providers/index.js';
import type { ExchangeCreateRequest, ExchangeKey } from './exchange.dto.js';

/** The providers an exchange works with. */
export interface ExchangeProviders {
  social: ProviderKind;
  onRamp: ProviderKind | null;
  /** Scopes that tokens of the social provider must have. */
  scopes: readonly string[];
}

export const EXCHANGE_PROVIDERS: Readonly<Record<ExchangeKey, ExchangeProviders>> = {
  /** https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/available-apis */
  coinbase: {
    social: 'coinbasesocial',
    onRamp: 'coinbaseOnramp',
    scopes: ['wallet:accounts:read', 'wallet:transactions:read', 'wallet:transactions:send'],
  },
  /** https://docs.kraken.com/api/docs/oauth/kraken-connect: account operations use an API key created for them. */
  kraken: { social: 'kraken', onRamp: null, scopes: ['account.fast-api-key:write'] },
};

export interface FieldFault {
  field: string;
  reason: string;
}

/** The fields of a request that do not match its exchange. */
export function faultsOf({ exchange, socialProvider, onRampProvider }: ExchangeCreateRequest): FieldFault[] {
  const { social, onRamp } = EXCHANGE_PROVIDERS[exchange];
  const faults: FieldFault[] = [];
  if (socialProvider && socialProvider !== social) {
    faults.push({ field: 'socialProvider', reason: `accounts of ${exchange} are linked by ${social}` });
  }
  if (onRampProvider && onRampProvider !== onRamp) {
    const reason = onRamp ? `people buy at ${exchange} by ${onRamp}` : `people cannot buy at ${exchange} from here`;
    faults.push({ field: 'onRampProvider', reason });
  }
  return faults;
}

/** Required scopes that a provider does not request. */
export const missingScopes = (exchange: ExchangeKey, asked: string | undefined): string[] => {
  const given = new Set((asked ?? '').split(' '));
  return EXCHANGE_PROVIDERS[exchange].scopes.filter((scope) => !given.has(scope));
};
