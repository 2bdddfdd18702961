export { EXTRA_SCHEMAS } from './api-document.js';
export { committedFiles, findDrift, writeCommitted } from './committed-files.js';
export { sampleOfEvent } from './event-sample.js';
export { DocsModule } from './docs.module.js';
export { ErrorPagesModule } from './error-pages.module.js';
export { buildDocument } from './document.js';
