import { settingsTable } from '../../../src/config/settings-table.js';
import { readDocument } from '../contract/openapi-document.js';
import { operationsTable } from './operations-table.js';

const contract = new URL('../../contract/openapi.json', import.meta.url);

/** The README sections generated from the code, by the name in their markers. */
export function generatedSections(): Record<string, string> {
  return {
    operations: operationsTable(readDocument(contract)),
    settings: settingsTable(),
  };
}

const opening = (name: string): string => `<!-- ${name}: generated -->`;
const closing = (name: string): string => `<!-- /${name} -->`;

/** The text between the markers of a section; null if there is no such section. */
export function findSection(text: string, name: string): string | null {
  const start = text.indexOf(opening(name));
  const end = text.indexOf(closing(name));
  return start < 0 || end < start ? null : text.slice(start + opening(name).length, end).trim();
}

/** The text with every section up to date. Throws if a section has lost its markers. */
export function withSections(text: string, sections: Record<string, string>): string {
  return Object.entries(sections).reduce((current, [name, section]) => {
    const start = current.indexOf(opening(name));
    const end = current.indexOf(closing(name));
    if (start < 0 || end < start) throw new Error(`The markers of the section "${name}" are gone.`);
    return `${current.slice(0, start)}${opening(name)}\n\n${section}\n\n${current.slice(end)}`;
  }, text);
}
