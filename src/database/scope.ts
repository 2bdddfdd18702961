declare const scope: unique symbol;

/**
 * The right to touch the rows of one environment. Minted only after its environment was loaded and the caller checked,
 * so a plain string from a path does not type-check as one.
 */
export type EnvironmentId = string & { readonly [scope]: 'environment' };

/** The right to touch the rows of one organization. */
export type OrganizationId = string & { readonly [scope]: 'organization' };
