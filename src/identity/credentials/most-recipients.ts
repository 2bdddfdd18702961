/**
 * The maximum number of addresses for one notice, earliest proven first: an attacker who has taken over an account must
 * not displace them by adding others, nor make the deployment send a hundred emails for one call.
 */
export const MOST_RECIPIENTS = 10;
