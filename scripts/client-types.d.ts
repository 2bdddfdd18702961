/** The TypeScript type of a schema of an OpenAPI document. */
export function typeOf(schema: object | undefined): string;
/** The text of the client of a document. */
export function clientOf(document: object): string;
