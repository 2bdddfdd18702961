/** What a proof rests on: something known, something had, or something one is (NIST SP 800-63B §2). */
export type FactorClass = 'knowledge' | 'possession' | 'inherence';
