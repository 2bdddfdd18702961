/** What makes a spreadsheet take text for a formula, also in the wide forms of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

export type CsvValue = string | number | boolean | Date | object | null;

/**
 * A line of RFC 4180. Every field is quoted, so that no separator of whatever program ends one; text that a spreadsheet
 * would calculate gets an apostrophe in front.
 */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\r\n`;

const field = (value: CsvValue): string => `"${neutral(textOf(value)).replaceAll('"', '""')}"`;

const neutral = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

function textOf(value: CsvValue): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
