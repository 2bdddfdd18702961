import { invalidFields } from '../common/http/validation.pipe.js';

/**
 * A website address that people can click; null for an empty one.
 *
 * @throws validation_failed for anything but an absolute http or https URL, such as a script
 */
export function parseWebsiteUrl(text: string | undefined): string | null {
  if (!text) return null;
  // The parser also takes `https:example.com`, which a page takes for a path of its own, and drops line breaks.
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
  if (url && url.username === '' && url.password === '') return text;
  throw invalidFields([{ field: 'websiteUrl', message: 'websiteUrl must be an absolute http or https URL' }]);
}
