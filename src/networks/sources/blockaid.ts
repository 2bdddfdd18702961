/** https://docs.blockaid.io/reference: where the scanning service is, unless `PROVIDER_ADDRESSES` says otherwise. */
export const BLOCKAID_API = 'https://api.blockaid.io/v0';
