import { getAddress, isAddress } from 'viem';
import { notFound } from '../../common/errors/index.js';
import { CHAINS } from '../../identity/index.js';
import { domainOf } from './domain-names.js';
import type { OwnedDomain } from './domain-proofs.js';
import { invalidDomain, nameServiceNotSupported } from './name-service.errors.js';

const isEvm = (chainName: string): boolean => chainName === 'EVM' || chainName === 'ETH';

/** `EVM`, also for its alias `ETH`. @throws notFound for an unknown chain, nameServiceNotSupported for any other */
export function chainWithNames(chainName: string): string {
  if (!CHAINS.values.some((chain) => chain === chainName)) throw notFound();
  if (!isEvm(chainName)) throw nameServiceNotSupported();
  return 'EVM';
}

/** @throws notFound, nameServiceNotSupported, invalidDomain */
export function ownedDomainOf(chainName: string, request: { address: string; domain: string }): OwnedDomain {
  const chain = chainWithNames(chainName);
  const domain = domainOf(request.domain);
  const isOneCase = /^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/.test(request.address);
  if (domain === null || !(isOneCase || isAddress(request.address, { strict: true }))) throw invalidDomain();
  return { chain, domain, address: getAddress(request.address) };
}
