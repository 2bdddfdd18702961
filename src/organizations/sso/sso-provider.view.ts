import { domainRecord } from './domain-record.js';
import type { SsoProvider, SsoProviderPayload } from './sso-provider.dto.js';
import type { SsoProviderRow } from './sso-provider.entity.js';

/** Fixed length, so as not to reveal the length of the secret. */
const MASK = '••••••••';

export const described = (row: SsoProviderRow): SsoProviderPayload => ({
  id: row.id,
  clientId: row.clientId,
  organizationId: row.organizationId,
  ssoDomain: row.ssoDomain,
  emailDomain: row.emailDomain,
  domainProof: {
    status: row.domainProvenAt ? 'proven' : 'pending',
    ...domainRecord(row),
    ...(row.domainProvenAt && { provenAt: row.domainProvenAt }),
    ...(row.domainProblem !== null && { problem: row.domainProblem }),
  },
  provider: row.provider,
  enforceOnlySSO: row.enforceOnlySso,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

export const shown = (row: SsoProviderRow): SsoProvider => ({ ...described(row), maskedClientSecret: MASK });

/** For the audit record of a change: a new secret counts as a change, but is never shown. */
export const audited = (row: SsoProviderRow): object => ({ ...described(row), clientSecret: row.sealedClientSecret });
