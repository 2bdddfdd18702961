import type { INestApplication, Type } from '@nestjs/common';
import { ApplicationConfig, type ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { eventRegistry } from '../database/index.js';
import type { OpenApiDocument, Schemas } from './document-types.js';

/** Name of the cookie with the session token, where an environment uses one. */
const SESSION_COOKIE = 'session_jwt';

const DESCRIPTION = `Sign-in, embedded wallets and environment management in one service.

Paths outside \`/sdk\` take an API token of an environment or a personal token of a member; paths inside take the token
of a signed-in user. Every error has a \`code\`, explained under [/docs/errors](/docs/errors).

People may have addresses with letters beyond ASCII (RFC 6531), such as \`jörg@bücher.example\`, in any field of the format
\`email\`: a client that validates answers must accept what JSON Schema calls \`idn-email\`.`;

const settings = () =>
  new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Gatehouse')
    .setDescription(DESCRIPTION.replace(/(\S)\n(\S)/g, '$1 $2'))
    .setVersion('v0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/api/v0')
    .addBearerAuth({ type: 'http', description: 'An API token, a personal token, or a session token.' }, 'bearerAuth')
    .addCookieAuth(
      SESSION_COOKIE,
      { type: 'apiKey', description: 'The session token, set at sign-in.' },
      'sessionCookie',
    )
    .build();

/**
 * What the decorators of all controllers declare. The scanner needs an application's modules, routing settings and
 * server type, and nothing that runs; so it works in a running application as well as in a preview.
 */
export function scan(modules: ModulesContainer): OpenApiDocument {
  const application = Object.assign(Object.create(null) as INestApplication, {
    container: { getModules: () => modules },
    config: new ApplicationConfig(),
    getHttpAdapter: () => ({ getType: () => 'express' }),
  });
  const extraModels = eventRegistry().map(({ payload }) => payload) as Type[];
  const document = SwaggerModule.createDocument(application, settings(), { extraModels });
  forgetFields(document.components?.schemas ?? {});
  leaveOpen(document.components?.schemas ?? {});
  return document;
}

/**
 * The scanner describes an enumeration by the first field that uses it, although others mean something else. Each field
 * keeps its own description.
 */
function forgetFields(schemas: Schemas): void {
  for (const schema of Object.values(schemas)) {
    if ('enum' in schema) delete schema.description;
  }
}

/**
 * The scanner needs a type for every property, so one that may have any value is declared with a single alternative that
 * says nothing. Generators of clients write no type at all for that; without alternatives, they write that it is unknown.
 */
function leaveOpen(schemas: Schemas): void {
  const properties = Object.values(schemas).flatMap((schema) =>
    Object.values(('properties' in schema && schema.properties) || {}),
  );
  for (const property of properties) {
    if ('anyOf' in property && property.anyOf?.every((one) => Object.keys(one).length === 0)) delete property.anyOf;
  }
}
