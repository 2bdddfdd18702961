import { html, type Html } from './html.js';

export interface PageParts {
  title: string;
  body: Html;
  /** A notice above everything else, such as that the page is for development only. */
  banner?: string | Html;
  /** Paths of scripts of this service. The content security policy forbids inline scripts. */
  scripts?: readonly string[];
  /** The same for ES modules. */
  modules?: readonly string[];
}

/** A complete page in the design of the service. */
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
