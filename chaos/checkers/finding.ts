/** A run that could not show what it was meant to show is no success: `INCONCLUSIVE` fails the program as well. */
export type Verdict = 'PASS' | 'FAIL' | 'INCONCLUSIVE';

/** One thing that was held against a criterion. */
export interface Finding {
  /** Such as `P1` or `takeover`. */
  readonly what: string;
  readonly verdict: Verdict;
  /** Figures, and the first few violations. */
  readonly says: string;
  /** A duration against its limit: the machine has a part in it. */
  readonly isTime?: true;
}

const SHOWN = 3;

/** @param violations sentences; none is a pass */
export function judge(what: string, says: string, violations: readonly string[]): Finding {
  if (violations.length === 0) return { what, verdict: 'PASS', says };
  const more = violations.length > SHOWN ? ` … ${violations.length} in all` : '';
  return { what, verdict: 'FAIL', says: `${says}: ${violations.slice(0, SHOWN).join('; ')}${more}` };
}

/** A figure against its limit; in ` ms` it is a duration. */
export function atMost(what: string, figure: number, limit: number, unit = ''): Finding {
  const verdict = figure <= limit ? 'PASS' : 'FAIL';
  const says = `${round(figure)}${unit} of at most ${round(limit)}${unit}`;
  return { what, verdict, says, ...(unit === ' ms' && { isTime: true }) };
}

/** What is judged here is how long things took. */
export const ofTime = (finding: Finding): Finding => ({ ...finding, isTime: true });

/** Beside other work a duration beyond its limit accuses the machine as much as the service: it proves nothing. */
export const beside = (finding: Finding): Finding =>
  finding.isTime && finding.verdict === 'FAIL' ? { ...finding, verdict: 'INCONCLUSIVE' } : finding;

/** Whether the fault happened at all, so often as it must to say anything. */
export function landed(times: number, needed: number, what: string): Finding {
  const says = `${times} of ${needed} ${what}`;
  return { what: 'landed', verdict: times >= needed ? 'PASS' : 'INCONCLUSIVE', says };
}

export function overall(findings: readonly Finding[]): Verdict {
  if (findings.some(({ verdict }) => verdict === 'FAIL')) return 'FAIL';
  return findings.some(({ verdict }) => verdict === 'INCONCLUSIVE') ? 'INCONCLUSIVE' : 'PASS';
}

const round = (figure: number): number => Math.round(figure * 10) / 10;
