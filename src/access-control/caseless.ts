/** Addresses whose case means nothing: in hex, and in bech32 (BIP 173), which is all upper or all lower case. */
const HEX = /^0x[0-9a-f]+$/i;
const BECH32 = /^(?:[a-z]+1[02-9ac-hj-np-z]{38,}|[A-Z]+1[02-9AC-HJ-NP-Z]{38,})$/;

/** Such an address in lower case; any other as it is. */
export const caseless = (address: string): string =>
  HEX.test(address) || BECH32.test(address) ? address.toLowerCase() : address;
