import { invalidFields } from '../common/http/validation.pipe.js';

/**
 * A website address that people can click; null for an empty one.
 *
 * @throws validation_failed for anything but an absolute http or https URL, such as a script
 */
export function parseWebsiteUrl(text: string | undefined): string | null {
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return text;
  throw invalidFields([{ field: 'websiteUrl', message: 'websiteUrl must be an absolute http or https URL' }]);
}
