export { EXTRA_SCHEMAS } from './api-document.js';
export { committedFiles, findDrift, writeCommitted } from './committed-files.js';
export { sampleOfEvent } from './examples/event-sample.js';
export { DocsModule } from './docs/docs.module.js';
export { ErrorPagesModule } from './errors/error-pages.module.js';
export { buildDocument } from './document.js';
