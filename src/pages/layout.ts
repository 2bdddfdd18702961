import { html, type Html } from './html.js';

export interface PageParts {
  title: string;
  body: Html;
  /** A sentence above everything else, such as that the page exists in development only. */
  banner?: string | Html;
  /** Paths of scripts of this service. The content policy admits no inline script. */
  scripts?: readonly string[];
  /** The same for scripts that import others. */
  modules?: readonly string[];
}

/** A whole page in the one look of the service. */
export function page({ title, body, banner, scripts = [], modules = [] }: PageParts): string {
  const document = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title.startsWith('Gatehouse') ? title : `${title} · Gatehouse`}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/pages/style.css" />
      ${scripts.map((source) => html`<script src="${source}" defer></script>`)}
      ${modules.map((source) => html`<script src="${source}" type="module"></script>`)}
    </head>
    <body>
      ${banner && html`<p class="banner" role="note">${banner}</p>`}
      <main>
        <h1>${title}</h1>
        ${body}
      </main>
    </body>
  </html>`;
  return `<!doctype html>\n${document.text}\n`;
}
