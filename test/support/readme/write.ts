/** `node --import ./scripts/typescript-loader.js test/support/readme/write.ts`: brings README.md up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedSections, withSections } from './generated-sections.js';

const path = new URL('../../../README.md', import.meta.url);
writeFileSync(path, withSections(readFileSync(path, 'utf8'), generatedSections()));
