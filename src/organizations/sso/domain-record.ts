import { DnsUnavailable, type DnsRecords } from '../../outbound/index.js';
import type { SsoProviderRow } from './sso-provider.entity.js';

/** A claim to an email domain. */
export type DomainClaim = Pick<SsoProviderRow, 'emailDomain' | 'domainChallenge'>;

/** `unknown` when the DNS gave no answer, which neither proves nor refutes. */
export interface DomainFinding {
  verdict: 'proven' | 'refuted' | 'unknown';
  /** What is wrong, for the team that sets the record; null when it is correct. */
  problem: string | null;
}

/** The record that proves a claim: only an administrator of the domain's DNS can set it. */
export const domainRecord = ({ emailDomain, domainChallenge }: DomainClaim) => ({
  dnsRecordType: 'TXT' as const,
  name: `_gatehouse-sso.${emailDomain}`,
  value: `gatehouse-sso-verification=${domainChallenge}`,
});

export async function findDomainRecord(claim: DomainClaim, dns: DnsRecords): Promise<DomainFinding> {
  const { name, value } = domainRecord(claim);
  try {
    const found = await dns.txt(name);
    if (found.includes(value)) return { verdict: 'proven', problem: null };
    const seen = found.length === 0 ? 'There is no TXT record' : 'Another TXT record is';
    return { verdict: 'refuted', problem: `${seen} at ${name}; it has to say ${value}.` };
  } catch (error) {
    if (!(error instanceof DnsUnavailable)) throw error;
    return { verdict: 'unknown', problem: `The DNS of ${name} does not answer (${error.message}).` };
  }
}
