import { compareSchemas, type Direction } from './compare-schemas.js';
import type { Difference, DifferenceRule } from './difference.js';
import {
  findOperation,
  type LocatedOperation,
  type MediaType,
  type OpenApiDoc,
  type Parameter,
  type RequestBody,
  resolveReference,
  type ResponseObject,
} from './openapi-document.js';

/**
 * Errors that every operation may return although the contract does not list them: invalid input (400), missing or
 * foreign ids, conflicts, size, media type, rate limits, outages, and internal errors.
 */
export const UNIVERSAL_FAULTS: readonly string[] = ['400', '404', '409', '413', '415', '429', '500', '503'];

const DEFAULT_STYLE: Record<string, string> = { query: 'form', cookie: 'form', path: 'simple', header: 'simple' };

/** Compares a generated operation with the contract's; an empty result means no difference for clients. */
export function compareOperation(generated: OpenApiDoc, contract: OpenApiDoc, operationId: string): Difference[] {
  const ours = findOperation(generated, operationId);
  const theirs = findOperation(contract, operationId);
  if (!ours || !theirs) {
    const text = (located: LocatedOperation | null): string => (located ? 'the operation' : 'no such operation');
    return [{ rule: 'operation', at: operationId, contract: text(theirs), generated: text(ours) }];
  }
  return new OperationComparison(generated, contract, ours, theirs).compare();
}

class OperationComparison {
  private readonly differences: Difference[] = [];

  constructor(
    private readonly generated: OpenApiDoc,
    private readonly contract: OpenApiDoc,
    private readonly ours: LocatedOperation,
    private readonly theirs: LocatedOperation,
  ) {}

  compare(): Difference[] {
    const [ours, theirs] = [this.ours.operation, this.theirs.operation];
    this.same('path', 'path', this.ours.path, this.theirs.path);
    this.same('method', 'method', this.ours.method, this.theirs.method);
    this.same('audience', 'x-audience', ours['x-audience'], theirs['x-audience']);
    this.same('scope', 'x-token-scope', ours['x-token-scope'], theirs['x-token-scope']);
    this.same('deprecated', 'deprecated', ours.deprecated ?? false, theirs.deprecated ?? false);
    this.compareParameters();
    this.compareRequestBody();
    this.compareStatuses();
    return this.differences;
  }

  private same(rule: DifferenceRule, at: string, mine: unknown, other: unknown): void {
    if (mine !== other) this.differ(rule, at, String(other ?? 'none'), String(mine ?? 'none'));
  }

  private differ(rule: DifferenceRule, at: string, contract: string, generated: string, allowedAs?: string): void {
    this.differences.push({ rule, at, contract, generated, ...(allowedAs === undefined ? {} : { allowedAs }) });
  }

  private compareParameters(): void {
    const [ours, theirs] = [byName(this.ours.parameters), byName(this.theirs.parameters)];
    for (const [name, parameter] of theirs) {
      const mine = ours.get(name);
      if (!mine) {
        this.differ('parameter', name, 'the parameter', 'no such parameter');
        continue;
      }
      this.same('parameter', `${name} required`, mine.required ?? false, parameter.required ?? false);
      this.same('parameter', `${name} style`, styleOf(mine), styleOf(parameter));
      this.compareBodies(mine, parameter, 'request', name);
    }
    for (const [name, parameter] of ours) {
      if (theirs.has(name)) continue;
      const allowedAs = parameter.required ? undefined : `${this.ours.operationId} ${name}`;
      this.differ('extra-parameter', name, 'no such parameter', 'the parameter', allowedAs);
    }
  }

  private compareRequestBody(): void {
    const ours = this.requestBody(this.generated, this.ours);
    const theirs = this.requestBody(this.contract, this.theirs);
    if (!ours || !theirs) {
      this.same('request-body', 'request body', ours ? 'a body' : undefined, theirs ? 'a body' : undefined);
      return;
    }
    this.same('request-body', 'request body required', ours.required ?? false, theirs.required ?? false);
    this.compareContent(ours.content, theirs.content, 'request', 'request');
  }

  private requestBody(doc: OpenApiDoc, { operation }: LocatedOperation): RequestBody | undefined {
    return operation.requestBody && resolveReference(doc, operation.requestBody);
  }

  private compareStatuses(): void {
    const [ours, theirs] = [responsesOf(this.generated, this.ours), responsesOf(this.contract, this.theirs)];
    for (const [status, response] of theirs) {
      const mine = ours.get(status);
      const at = `response ${status}`;
      if (mine) this.compareResponse(mine, response, isFault(status) ? 'error' : 'response', at);
      else this.differ('status', at, 'the status', 'no such status');
    }
    for (const status of ours.keys()) {
      if (theirs.has(status) || UNIVERSAL_FAULTS.includes(status)) continue;
      const allowedAs = isFault(status) ? `${this.ours.operationId} ${status}` : undefined;
      this.differ('extra-status', `response ${status}`, 'no such status', 'the status', allowedAs);
    }
  }

  private compareResponse(ours: ResponseObject, theirs: ResponseObject, direction: Direction, at: string): void {
    const documented = Object.keys(ours.headers ?? {}).map((name) => name.toLowerCase());
    for (const name of Object.keys(theirs.headers ?? {})) {
      if (!documented.includes(name.toLowerCase()))
        this.differ('header', `${at} ${name}`, 'the header', 'no such header');
    }
    this.compareContent(ours.content, theirs.content, direction, at);
  }

  private compareContent(
    ours: Record<string, MediaType> = {},
    theirs: Record<string, MediaType> = {},
    direction: Direction,
    at: string,
  ): void {
    for (const [type, media] of Object.entries(theirs)) {
      const mine = ours[type];
      if (mine) this.compareBodies(mine, media, direction, `${at} body`);
      else this.differ('content-type', at, type, Object.keys(ours).join(', ') || 'no body');
    }
    for (const type of direction === 'error' ? [] : Object.keys(ours)) {
      const known = Object.keys(theirs).join(', ');
      // A body for a documented status can be allowed; one for 204, or one different from the contract's, cannot.
      const allowedAs = known === '' && at === 'response 200' ? `${this.ours.operationId} ${at} body` : undefined;
      if (!theirs[type]) this.differ('content-type', at, known || 'no body', type, allowedAs);
    }
  }

  private compareBodies(ours: MediaType, theirs: MediaType, direction: Direction, at: string): void {
    const mine = { doc: this.generated, schema: ours.schema ?? {} };
    const other = { doc: this.contract, schema: theirs.schema ?? {} };
    this.differences.push(...compareSchemas(mine, other, direction, at));
  }
}

function isFault(status: string): boolean {
  return /^[45]/.test(status);
}

/** Header names are case-insensitive (RFC 9110 section 5.1). */
function byName(parameters: readonly Parameter[]): Map<string, Parameter> {
  return new Map(
    parameters.map((parameter) => {
      const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
      return [`${parameter.in}:${name}`, parameter];
    }),
  );
}

/** Values of a list are repeated in `form` unless the parameter says otherwise. */
function styleOf(parameter: Parameter): string {
  const style = parameter.style ?? DEFAULT_STYLE[parameter.in] ?? 'form';
  return style === 'form' && parameter.explode === false ? 'form, not exploded' : style;
}

function responsesOf(doc: OpenApiDoc, { operation }: LocatedOperation): Map<string, ResponseObject> {
  const entries = Object.entries(operation.responses ?? {});
  return new Map(entries.map(([status, response]) => [status, resolveReference(doc, response)]));
}
