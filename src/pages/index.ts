export { Asset } from './asset.js';
export { codeForm } from './code-form.js';
export { html, type Html } from './html.js';
export { page, type PageParts } from './layout.js';
export { LocalOnlyGuard } from './local-only.guard.js';
export { isLocalRequest } from './local-request.js';
export { PagesModule } from './pages.module.js';
export { errorView } from './error-view.js';
export { asPage, type PageSources } from './send-page.js';
