import { newId } from '../../common/ids.js';
import type { OpenApiDocument } from '../document-types.js';
import { Sampler, type SampledSchema } from './sampler.js';

/** A sample of an event's `data`, from its schema in the document; null for an unknown event. */
export function sampleOfEvent(document: OpenApiDocument, name: string, now: Date): object | null {
  const item = document.webhooks?.[name] as
    { post: { requestBody: { content: { 'application/json': { schema: SampledSchema } } } } } | undefined;
  const parts = item?.post.requestBody.content['application/json'].schema.allOf ?? [];
  const data = parts.map(({ properties }) => properties?.['data']).find((found) => found !== undefined);
  const sampler = new Sampler(document.components?.schemas ?? {}, { idOf: newId, now });
  return data ? (sampler.of(data) as object) : null;
}
