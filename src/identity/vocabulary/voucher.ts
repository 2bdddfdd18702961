/**
 * Who answers for somebody whom an organization holds to its provider: the operator, or the provider that a setup speaks
 * for, by the name of whom it speaks of. It is not read off `amr`, which says how and not where, and which every method
 * fills in by itself.
 */
export type Voucher = 'operator' | { directory: string };
