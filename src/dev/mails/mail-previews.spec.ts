import { describe, expect, it } from '@jest/globals';
import { mailPreviews } from './mail-previews.js';
import { mailsPage } from './mails-page.js';

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const previews = mailPreviews(new Date('2026-01-02T03:04:05Z'), 'https://accounts.example.com');
/** What somebody reads of markup. */
const readable = (markup: string): string =>
  markup
    .replace(/<\/p>/g, '\n\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!)
    .trim();

describe('the mails about accounts and keys', () => {
  it.each(previews.map((preview) => [preview.language, preview.name, preview] as const))(
    'say the same as text and as HTML, without a link: %s %s',
    (language, _, { subject, text, html }) => {
      expect(subject).toContain('Storefront');
      expect(readable(html)).toBe(text.trim());
      expect(html).toMatch(new RegExp(`^<!doctype html><html lang="${language}"><body><p>`));
      expect(text + html).not.toMatch(/https?:|href|src=|<script|undefined|\{/);
    },
  );

  it('are there in each language', () => {
    const names = (language: string) => previews.flatMap((one) => (one.language === language ? one.name : []));
    expect(names('de')).toEqual(names('en'));
    expect(new Set(names('en')).size).toBe(names('en').length);
  });

  it('are shown as text and as HTML, which runs nothing', () => {
    const page = mailsPage(previews);
    const frames = [...page.matchAll(/<iframe [^>]*sandbox="" srcdoc="([^"]*)"><\/iframe>/g)];
    expect(frames.map(([, markup]) => readable(readable(markup!)))).toEqual(previews.map(({ text }) => text.trim()));
  });
});
