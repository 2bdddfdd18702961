import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { operationsOf, type OpenApiDocument } from '../document-types.js';

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', components: document.components });

interface Media {
  schema: object;
  example?: unknown;
}

/** Every JSON request body and success response, with its location. */
const shown = operationsOf(document).flatMap(({ operation }) => {
  const holders: [string, unknown][] = [
    ['body', operation.requestBody],
    ...Object.entries(operation.responses).filter(([status]) => status.startsWith('2')),
  ];
  return holders.flatMap(([what, holder]) => {
    const media = (holder as { content?: Record<string, Media> } | undefined)?.content?.['application/json'];
    return media ? [{ what: `${operation.operationId} ${what}`, media }] : [];
  });
});

const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as object;

describe('in the document', () => {
  it('every body and every answer has an example', () => {
    expect(shown.length).toBeGreaterThan(250);
    expect(shown.filter(({ media }) => media.example === undefined).map(({ what }) => what)).toEqual([]);
  });

  it('every example is what its schema allows', () => {
    const wrong = shown.flatMap(({ what, media }) => {
      const fits = ajv.compile(absolute(media.schema));
      return fits(media.example) ? [] : [`${what}: ${ajv.errorsText(fits.errors).slice(0, 200)}`];
    });
    expect(wrong).toEqual([]);
  });

  it('no answer shows what is only written', () => {
    const { media } = shown.find(({ what }) => what === 'getEnvironmentById 200')!;
    expect(media.example).toMatchObject({ settings: { security: { captcha: { enabled: true } } } });
    const captchas = shown
      .filter(({ what }) => !what.endsWith('body'))
      .map(({ media }) => JSON.stringify(media.example));
    expect(captchas.filter((text) => text.includes('"secretKey"'))).toEqual([]);
  });

  it('an example of something else would be seen', () => {
    const { media } = shown.find(({ what }) => what === 'createUser 201')!;
    expect(ajv.compile(absolute(media.schema))({ user: 7 })).toBe(false);
  });
});
