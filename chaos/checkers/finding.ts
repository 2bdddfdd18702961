/** A run that could not show what it should is no success: `INCONCLUSIVE` also fails the program. */
export type Verdict = 'PASS' | 'FAIL' | 'INCONCLUSIVE';

/** The result of checking one criterion. */
export interface Finding {
  /** Such as `P1` or `takeover`. */
  readonly what: string;
  readonly verdict: Verdict;
  /** Figures, and the first few violations. */
  readonly says: string;
  /** Set for a duration compared with its limit, which also depends on the machine. */
  readonly isTime?: true;
}

const SHOWN = 3;

/** @param violations sentences; empty means a pass */
export function judge(what: string, says: string, violations: readonly string[]): Finding {
  if (violations.length === 0) return { what, verdict: 'PASS', says };
  const more = violations.length > SHOWN ? ` … ${violations.length} in all` : '';
  return { what, verdict: 'FAIL', says: `${says}: ${violations.slice(0, SHOWN).join('; ')}${more}` };
}

/** Compares a figure with its limit; with the unit ` ms` it is a duration. */
export function atMost(what: string, figure: number, limit: number, unit = ''): Finding {
  const verdict = figure <= limit ? 'PASS' : 'FAIL';
  const says = `${round(figure)}${unit} of at most ${round(limit)}${unit}`;
  return { what, verdict, says, ...(unit === ' ms' && { isTime: true }) };
}

/** Marks a finding about durations. */
export const ofTime = (finding: Finding): Finding => ({ ...finding, isTime: true });

/** With other work on the machine, an exceeded limit may be the machine's fault as well: it proves nothing. */
export const beside = (finding: Finding): Finding =>
  finding.isTime && finding.verdict === 'FAIL' ? { ...finding, verdict: 'INCONCLUSIVE' } : finding;

/** Whether the fault occurred at all, and often enough to be conclusive. */
export function landed(times: number, needed: number, what: string): Finding {
  const says = `${times} of ${needed} ${what}`;
  return { what: 'landed', verdict: times >= needed ? 'PASS' : 'INCONCLUSIVE', says };
}

export function overall(findings: readonly Finding[]): Verdict {
  if (findings.some(({ verdict }) => verdict === 'FAIL')) return 'FAIL';
  return findings.some(({ verdict }) => verdict === 'INCONCLUSIVE') ? 'INCONCLUSIVE' : 'PASS';
}

const round = (figure: number): number => Math.round(figure * 10) / 10;
