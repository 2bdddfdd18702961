/**
 * A column for statements on `environments e`: whether its organization (for the console: any organization) enforces
 * single sign-on. Loaded with the environment, which every call looks up, so that it costs other sign-ins no statement.
 */
export const ENFORCES_SSO = `EXISTS (SELECT FROM sso_providers s WHERE s.enforce_only_sso
  AND (s.organization_id = e.organization_id OR e.kind = 'console')) AS "enforcesSso"`;
