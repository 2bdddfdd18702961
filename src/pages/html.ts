/** Trusted markup. Only the `html` tag below creates it, so that everything else in a page is escaped. */
export class Html {
  private constructor(readonly text: string) {}

  static join(strings: readonly string[], values: readonly HtmlValue[]): Html {
    return new Html(strings.map((part, index) => part + (index < values.length ? render(values[index]) : '')).join(''));
  }
}

export type HtmlValue = string | number | boolean | null | undefined | Html | readonly HtmlValue[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return escape(String(value));
}

/**
 * A template tag for markup: text is escaped for element content and quoted attributes, lists are joined, and null,
 * undefined and false render nothing.
 */
export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html => Html.join(strings, values);
