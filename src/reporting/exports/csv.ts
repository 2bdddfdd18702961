/** Characters that make a spreadsheet interpret text as a formula, including their full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/**
 * The same after a semicolon, tab or line break, which start a cell in spreadsheets where the comma is the decimal
 * separator: those ignore quotes after a comma, and strip quotes before a formula.
 */
const INNER_FORMULA = /(?<=[;\t\r\n])(?=["\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

export type CsvValue = string | number | boolean | Date | object | null;

/**
 * A line of RFC 4180. Every field is quoted, so that commas do not split it; text that a spreadsheet would evaluate is
 * prefixed with an apostrophe, even where only another separator would make it the start of a cell.
 */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\r\n`;

const field = (value: CsvValue): string => `"${neutral(textOf(value)).replaceAll('"', '""')}"`;

const neutral = (text: string): string => {
  const calm = text.replaceAll(INNER_FORMULA, "'");
  return FORMULA.test(calm) ? `'${calm}` : calm;
};

function textOf(value: CsvValue): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
