/** A Markdown table, padded as Prettier does; the first row has the headings. */
export function markdownTable(rows: readonly (readonly string[])[]): string[] {
  const escaped = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = (escaped[0] ?? []).map((_, column) => Math.max(3, ...escaped.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const [headings, ...body] = escaped.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))));
  return [headings ?? '', line(widths.map((width) => '-'.repeat(width))), ...body];
}
