declare const scope: unique symbol;

/**
 * The right to access one environment's rows. Created only after the environment was loaded and the caller authorised,
 * so a plain string from a path does not type-check as one.
 */
export type EnvironmentId = string & { readonly [scope]: 'environment' };

/** The right to access one organization's rows. */
export type OrganizationId = string & { readonly [scope]: 'organization' };
