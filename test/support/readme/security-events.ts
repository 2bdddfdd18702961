import { SECURITY_EVENTS } from '../../../src/common/security/index.js';
import { markdownTable } from './markdown-table.js';

/** The list in `docs/security-log.md`. */
export const securityEventsTable = (): string =>
  markdownTable([
    ['Event', 'Kind', 'What happened'],
    ...Object.entries(SECURITY_EVENTS).map(([event, { kind, means }]) => [`\`${event}\``, kind, means]),
  ]).join('\n');
