/** What a call must come to: a success, an answer that no guard gave, or one of these refusals. */
export type Verdict = 'success' | 'open' | readonly number[];
