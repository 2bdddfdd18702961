/**
 * Who vouches for a person whose organization enforces its provider: the operator, or the directory of the provider in
 * a setup. Not derived from `amr`, which states how and not where, and which every method sets itself.
 */
export type Voucher = 'operator' | { directory: string };
