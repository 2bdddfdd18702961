import type { CustomHostnameVerificationRecord } from './custom-hostname.dto.js';
import { DnsUnavailable, type DnsRecords } from '../../outbound/index.js';

/** `unknown` when the DNS gave no answer, which neither proves nor refutes. */
export interface Finding {
  verdict: 'proven' | 'refuted' | 'unknown';
  /** What is wrong, for the team that set the records; absent when they are correct. */
  reason?: string;
}

/** The records that prove ownership of a host name, and that it points here. */
export const verificationRecords = (
  { hostname, challenge }: { hostname: string; challenge: string },
  target: string,
): CustomHostnameVerificationRecord[] => [
  {
    dnsRecordType: 'TXT',
    verificationType: 'ownership',
    name: `_gatehouse-challenge.${hostname}`,
    value: `gatehouse-verification=${challenge}`,
  },
  { dnsRecordType: 'CNAME', verificationType: 'alias', name: hostname, value: target },
];

/** Looks up every record. A missing one refutes, whatever the others say. */
export async function findProof(
  records: readonly CustomHostnameVerificationRecord[],
  dns: DnsRecords,
): Promise<Finding> {
  const findings = await Promise.all(records.map((record) => lookFor(record, dns)));
  return (
    findings.find(({ verdict }) => verdict === 'refuted') ??
    findings.find(({ verdict }) => verdict === 'unknown') ?? { verdict: 'proven' }
  );
}

async function lookFor(
  { dnsRecordType, name, value }: CustomHostnameVerificationRecord,
  dns: DnsRecords,
): Promise<Finding> {
  try {
    const found = dnsRecordType === 'TXT' ? await dns.txt(name) : await dns.cname(name);
    if (found.includes(value)) return { verdict: 'proven' };
    const seen = found.length === 0 ? `There is no ${dnsRecordType} record` : `Another ${dnsRecordType} record is`;
    return { verdict: 'refuted', reason: `${seen} at ${name}; it has to say ${value}.` };
  } catch (error) {
    if (!(error instanceof DnsUnavailable)) throw error;
    return { verdict: 'unknown', reason: `The DNS of ${name} does not answer (${error.message}).` };
  }
}
