/** Rung when the DNS of some host name is to be looked at. */
export const HOSTNAMES_DUE = 'hostnames.due';
