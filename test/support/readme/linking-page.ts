import { decisionRows } from '../../../src/identity/linking/decisions.js';

const BEGIN = '<!-- decisions -->';
const END = '<!-- /decisions -->';

/** Every decision as a table, columns padded as Prettier pads them. */
function decisionTable(): string {
  const head = ['The user wants to', 'kind', 'whose it is', 'what becomes of it'];
  const rows = decisionRows().map(({ intent, kind, holder, decision }) => [intent, kind, holder, `\`${decision}\``]);
  const widths = head.map((title, at) => Math.max(...[head, ...rows].map((row) => row[at]!.length), title.length));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** The page with the table of now between its marks. */
export function withDecisions(page: string): string {
  const [before, rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return `${before}${BEGIN}\n\n${decisionTable()}\n\n${END}${after}`;
}
