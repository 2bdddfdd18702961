/**
 * At how many addresses a user is told of one thing, those that were proven first: whoever has taken an account over must not
 * write others into their place, nor have the deployment send a hundred mails for one call.
 */
export const MOST_RECIPIENTS = 10;
