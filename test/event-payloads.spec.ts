import { describe, expect, it } from '@jest/globals';
import type { OpenApiDoc } from './support/contract/openapi-document.js';
import { PayloadValidator, payloads } from './support/event-payloads.js';

const sent = (data?: object) => ({
  post: {
    requestBody: {
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/EventBody' },
              { type: 'object', properties: { eventName: {}, ...(data && { data }) } },
            ],
          },
        },
      },
    },
  },
});

describe('the payloads of events', () => {
  it('are all described in the document', () => {
    expect(payloads().undescribed).toEqual([]);
  });

  it('would be seen to be missing or wrong', () => {
    const door = { type: 'object', properties: { id: { type: 'string', format: 'uuid' } }, required: ['id'] };
    const validator = new PayloadValidator({
      openapi: '3.1.0',
      paths: {},
      components: { schemas: { Door: door } },
      webhooks: { 'door.added': sent({ $ref: '#/components/schemas/Door' }), 'door.swung': sent() },
    } as unknown as OpenApiDoc);
    expect(validator.undescribed).toEqual(['door.swung']);
    const id = '019a0000-0000-7000-8000-000000000001';
    expect(validator.problems('door.added', { id })).toEqual([]);
    expect(validator.problems('door.unknown', {})).toEqual([]);
    expect(validator.problems('door.added', { id: 'x' })).toEqual([
      expect.stringContaining('data/id must match format'),
    ]);
    expect(validator.problems('door.added', {})).toEqual([expect.stringContaining('required property')]);
    expect(validator.problems('door.added', { id, secret: 'x' })).toEqual([expect.stringContaining('secret')]);
  });
});
