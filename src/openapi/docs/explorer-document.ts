import { errorVocabulary } from '../../common/errors/index.js';
import { operationsOf, type OpenApiDocument, type Operation, type Parameter, type Schemas } from '../document-types.js';
import { exampleOf } from '../errors/error-examples.js';
import { CREDENTIALS, securityOf } from './explorer-credentials.js';
import type { ExampleFacts, RequestExamples } from '../examples/example-facts.js';
import { REQUEST_EXAMPLES } from '../examples/request-examples.js';

/** Example values for the explorer. */
export interface Examples extends ExampleFacts {
  /** Values for path parameters, by name. */
  path: Readonly<Record<string, string>>;
  /** The base URL of the error pages. */
  errorPages: string;
}

type Schema = Exclude<Schemas[string], { $ref: string }>;

const ERROR_SCHEMA = '#/components/schemas/ErrorBody';
/** A placeholder that the explorer's script replaces with a new key for each call. */
const FRESH_KEY = 'a-new-one-for-each-call';

/** The example error for each status. */
const TYPICAL: Readonly<Record<string, string>> = {
  400: 'validation_failed',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'duplicate_exists',
  429: 'too_many_requests',
  500: 'internal_error',
  503: 'service_unavailable',
};

/**
 * What the page fills in where the example of the document has whole lists, as its schema requires: on Execute, they would
 * replace those of the demo. The operations take a part as well.
 */
const PARTS: RequestExamples = {
  updateProjectSettings: () => ({ general: { displayName: 'Storefront' } }),
};

/** The document with example values, served only to the explorer; the plain document is the committed one. */
export function explorerDocument(plain: OpenApiDocument, examples: Examples): OpenApiDocument {
  const document = structuredClone(plain);
  for (const { item, operation } of operationsOf(document)) {
    // The page never fills in what to delete.
    const valueOf = item.delete === operation ? () => undefined : (one: Parameter) => valueIn(document, one, examples);
    operation.parameters = operation.parameters?.map((one) =>
      'in' in one ? fillParameter(document, one, valueOf) : one,
    );
    operation.security = securityOf(operation);
    fillBody(operation, examples);
    fillErrors(operation, examples.errorPages);
  }
  document.components = { ...document.components, securitySchemes: CREDENTIALS };
  return document;
}

function fillParameter(
  document: OpenApiDocument,
  parameter: Parameter,
  valueOf: (parameter: Parameter) => unknown,
): Parameter {
  if (parameter.style === 'deepObject') {
    // Left to itself, the explorer fills in every field: right for required ones, but otherwise nothing would match.
    const { required = [] } = schemaOf(document, parameter) ?? {};
    return required.length > 0 ? parameter : { ...parameter, example: {} };
  }
  if (parameter.name === 'Idempotency-Key') return { ...parameter, example: FRESH_KEY };
  const example = valueOf(parameter);
  return example === undefined ? parameter : { ...parameter, example };
}

const valueIn = (document: OpenApiDocument, parameter: Parameter, { path }: Examples): unknown =>
  (parameter.in === 'path' ? path[parameter.name] : undefined) ?? firstChoice(document, parameter);

/** The explorer shows the first value of a required list as chosen, and without an example it sends nothing. */
const firstChoice = (document: OpenApiDocument, parameter: Parameter): unknown =>
  parameter.required ? schemaOf(document, parameter)?.enum?.[0] : undefined;

function schemaOf({ components }: OpenApiDocument, { schema }: Parameter): Schema | undefined {
  const known = schema && '$ref' in schema ? components?.schemas?.[schema.$ref.split('/').at(-1)!] : schema;
  return known && '$ref' in known ? undefined : known;
}

function fillBody({ operationId = '', requestBody }: Operation, facts: ExampleFacts): void {
  const media = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  const make = PARTS[operationId] ?? REQUEST_EXAMPLES[operationId];
  if (media && make) media.example = make(facts);
}

function fillErrors({ responses }: Operation, pages: string): void {
  for (const [status, response] of Object.entries(responses)) {
    const media = response && 'content' in response ? response.content?.['application/json'] : undefined;
    if (!media?.schema || !('$ref' in media.schema) || media.schema.$ref !== ERROR_SCHEMA) continue;
    const error = errorVocabulary().find(({ code }) => code === TYPICAL[status]);
    if (error) media.example = exampleOf(error, pages);
  }
}
