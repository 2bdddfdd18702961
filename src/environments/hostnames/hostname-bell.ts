/** Signals that a host name is due for a DNS check. */
export const HOSTNAMES_DUE = 'hostnames.due';
