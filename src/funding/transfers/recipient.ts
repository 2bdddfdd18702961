/**
 * The form in which addresses are compared: many are accepted in either case, and no two case-sensitive ones differ
 * only in case. The database compares with `lower` (`exchange_transfers_open`).
 */
export const recipientKey = (recipient: string): string => recipient.trim().toLowerCase();
