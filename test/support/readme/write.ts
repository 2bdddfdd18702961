/** `node --import ./scripts/typescript-loader.js test/support/readme/write.ts`: brings README.md and docs/operations.md up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readDocument } from '../contract/openapi-document.js';
import { generatedSections, withSections } from './generated-sections.js';
import { operationsPage } from './operations-page.js';

const root = new URL('../../../', import.meta.url);
const readme = new URL('README.md', root);

writeFileSync(readme, withSections(readFileSync(readme, 'utf8'), generatedSections()));
writeFileSync(new URL('docs/operations.md', root), operationsPage(readDocument(new URL('openapi.json', root))));
