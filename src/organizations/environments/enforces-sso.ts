/**
 * A column of a statement on `environments e`: whether its organization, or for the console any, holds people to single
 * sign-on. It travels with the environment, which every call looks up, so that sign-ins elsewhere cost no statement.
 */
export const ENFORCES_SSO = `EXISTS (SELECT FROM sso_providers s WHERE s.enforce_only_sso
  AND (s.organization_id = e.organization_id OR e.kind = 'console')) AS "enforcesSso"`;
