import { GOALS, verdict, type Goal, type RowName, type Verdict } from './goals.js';

/** A measured row. Rates are requests per second, `p50` and `p99` of the service in milliseconds. */
export interface Row {
  readonly row: RowName;
  readonly service?: number;
  readonly bare?: number;
  readonly p50?: number;
  readonly p99?: number;
  /** The value compared with the goal: the ratio, the time, the size. */
  readonly figure: number;
  /** Additional information, printed below the table. */
  readonly note?: string;
}

export interface JudgedRow extends Row, Goal {
  readonly verdict: Verdict;
}

export const judge = (row: Row): JudgedRow => ({
  ...row,
  ...GOALS[row.row],
  verdict: verdict(GOALS[row.row], row.figure),
});

const HEAD = ['row', 'service req/s', 'bare req/s', 'ratio', 'p50 ms', 'p99 ms', 'must', 'aim', 'verdict'];

/** The report as an aligned Markdown table, with its notes below. */
export function renderTable(rows: readonly JudgedRow[]): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const print = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => '-'.repeat(width + 1) + (isText(column) ? '-' : ':')).join('|')}|`;
  const notes = rows.filter(({ note }) => note).map(({ row, note }) => `- ${row}: ${note}`);
  return [print(HEAD), rule, ...lines.slice(1).map(print), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

function cells(row: JudgedRow): string[] {
  const { unit, service, bare, figure, p50, p99, must, aim } = row;
  return [
    row.row,
    service === undefined ? (unit === 'ratio' || unit === 'per second' ? '' : amount(figure, unit)) : rate(service),
    bare === undefined ? '' : rate(bare),
    unit === 'ratio' ? amount(figure, unit) : '',
    p50 === undefined ? '' : p50.toFixed(2),
    p99 === undefined ? '' : p99.toFixed(2),
    unit === 'ratio' && must === 0 ? '' : bound(row, must),
    bound(row, aim),
    row.verdict,
  ];
}

const bound = ({ better, unit }: Goal, value: number): string =>
  `${better === 'higher' ? '≥' : '≤'} ${unit === 'per second' ? rate(value) : amount(value, unit)}`;

const rate = (value: number): string => String(Math.round(value));

function amount(value: number, unit: Goal['unit']): string {
  if (unit === 'ratio') return value.toFixed(2);
  if (unit === 'times') return `${value.toFixed(2)} ×`;
  return `${unit === 's' ? value.toFixed(2) : value.toFixed(1)} ${unit}`;
}

const isText = (column: number): boolean => column === 0 || column === HEAD.length - 1;

const pad = (cell: string, width: number, column: number): string =>
  isText(column) ? cell.padEnd(width) : cell.padStart(width);
