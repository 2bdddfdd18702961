/** `npm run docs:write`: brings README.md, docs/operations.md and the table of roles up to date with `openapi.json`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readDocument } from '../contract/openapi-document.js';
import { ROLES_FILE, documentedRoles } from '../contract/roles.js';
import { generatedSections, withSections } from './generated-sections.js';
import { withDecisions } from './linking-page.js';
import { securityEventsTable } from './security-events.js';
import { operationsPage } from './operations-page.js';

const root = new URL('../../../', import.meta.url);
const readme = new URL('README.md', root);

const securityLog = new URL('docs/security-log.md', root);
const securityEvents = { 'security-events': securityEventsTable() };
writeFileSync(securityLog, withSections(readFileSync(securityLog, 'utf8'), securityEvents));
writeFileSync(readme, withSections(readFileSync(readme, 'utf8'), generatedSections()));
const document = readDocument(new URL('openapi.json', root));
writeFileSync(new URL('docs/operations.md', root), operationsPage(document));
const linking = new URL('docs/linking.md', root);
writeFileSync(linking, withDecisions(readFileSync(linking, 'utf8')));
writeFileSync(ROLES_FILE, `${JSON.stringify(documentedRoles(document), null, 2)}\n`);
