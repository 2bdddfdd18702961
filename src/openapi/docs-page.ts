import { html, page } from '../pages/index.js';

/** The frame of the API explorer, which a script fills. */
export const docsPage = (): string =>
  page({
    title: 'Gatehouse API',
    body: html`<link rel="stylesheet" href="/docs/assets/swagger-ui.css" />
      <link rel="stylesheet" href="/docs/assets/docs.css" />
      <p>
        <a href="/openapi.json">openapi.json</a> · <a href="/docs/errors">Errors</a>
        <span id="demo" class="muted" role="status"></span>
      </p>
      <div id="explorer">
        <noscript>The explorer needs JavaScript; the document itself is openapi.json.</noscript>
      </div>`,
    scripts: ['/docs/assets/swagger-ui-bundle.js', '/docs/assets/docs.js'],
  });
