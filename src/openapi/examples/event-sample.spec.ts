import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { payloads } from '../../../test/support/event-payloads.js';
import type { OpenApiDocument } from '../document-types.js';
import { sampleOfEvent } from './event-sample.js';

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;
const now = new Date('2026-11-21T12:00:00.000Z');

describe('the sample of an event', () => {
  const names = Object.keys(document.webhooks ?? {});

  it('exists for every event', () => {
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name) => sampleOfEvent(document, name, now) === null)).toEqual([]);
    expect(sampleOfEvent(document, 'nothing.happened', now)).toBeNull();
  });

  it.each(names)('%s is what the document says of its data', (name) => {
    const data = JSON.parse(JSON.stringify(sampleOfEvent(document, name, now))) as object;
    expect(payloads().problems(name, data)).toEqual([]);
    expect(Object.keys(data).length).toBeGreaterThan(0);
  });

  it('would be seen to be wrong', () => {
    const data = { ...sampleOfEvent(document, 'user.created', now), id: 'sample' };
    expect(payloads().problems('user.created', data)).not.toEqual([]);
  });
});
