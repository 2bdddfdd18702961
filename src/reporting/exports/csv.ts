/** What makes a spreadsheet take text for a formula, also in the wide forms of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/**
 * The same behind what begins a cell for a spreadsheet that separates by semicolons or tabs, as it does where a comma is
 * part of a number: quotes behind a comma mean nothing to it, and those before a formula go.
 */
const INNER_FORMULA = /(?<=[;\t\r\n])(?=["\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

export type CsvValue = string | number | boolean | Date | object | null;

/**
 * A line of RFC 4180. Every field is quoted, so that no comma ends one; text that a spreadsheet would calculate gets an
 * apostrophe in front, also where only another separator would make it the beginning of a cell.
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
