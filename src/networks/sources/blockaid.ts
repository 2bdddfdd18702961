/** https://docs.blockaid.io/reference: the scanning service, unless `PROVIDER_ADDRESSES` says otherwise. */
export const BLOCKAID_API = 'https://api.blockaid.io/v0';
