/**
 * What an address is compared by: exchanges take many in capitals and in small letters, and no two of those that have a
 * case of their own differ in nothing else. The database compares them by `lower` (`exchange_transfers_open`).
 */
export const recipientKey = (recipient: string): string => recipient.trim().toLowerCase();
