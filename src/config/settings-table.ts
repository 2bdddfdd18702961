import type { Setting } from './setting.js';
import { SETTINGS } from './settings.js';

const HEADINGS = ['Variable', 'Default', 'What it decides'] as const;

/** Every environment variable as a Markdown table, with columns padded as Prettier does. */
export function settingsTable(settings: Readonly<Record<string, Setting<unknown>>> = SETTINGS): string {
  const rows = Object.entries(settings).map(([name, setting]) => [`\`${name}\``, defaultCell(setting), setting.about]);
  const table = [[...HEADINGS], ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const [headings, ...body] = table.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))));
  return [headings, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n');
}

/** A default that is the literal value is formatted as code; a description stays prose. */
function defaultCell(setting: Setting<unknown>): string {
  const value = setting.read(undefined, false);
  const isLiteral = ['string', 'number', 'boolean'].includes(typeof value) && String(value) === setting.defaultText;
  return isLiteral ? `\`${setting.defaultText}\`` : setting.defaultText;
}
