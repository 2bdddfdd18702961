import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import ts from 'typescript';
import { settingsComponents } from './settings-schema.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
}

const components = settingsComponents as unknown as Record<string, Schema>;

/** A schema without references, and without null beside it. */
function resolved(schema: Schema): Schema {
  if (schema.$ref) return resolved(components[schema.$ref.split('/').at(-1)!]!);
  const parts = (schema.anyOf ?? schema.allOf ?? []).filter(({ type }) => type !== 'null');
  return parts.length === 1 ? resolved({ ...parts[0]! }) : schema;
}

const typesOf = ({ type }: Schema): string[] => [type ?? 'object'].flat().filter((name) => name !== 'null');

/** Where the types that code reads say something that the schema does not. */
class Comparison {
  readonly faults: string[] = [];

  constructor(private readonly checker: ts.TypeChecker) {}

  compare(given: ts.Type, schema: Schema, at: string): void {
    const type = this.checker.getNonNullableType(given);
    const [kind] = typesOf(schema);
    const members = type.isUnion() ? type.types : [type];
    if (members.every((member) => member.flags & ts.TypeFlags.BooleanLike))
      return this.expectKind(kind, ['boolean'], at);
    if (members.every((member) => member.isStringLiteral())) {
      const unknown = members.map(({ value }) => value).filter((value) => !schema.enum?.includes(value));
      if (unknown.length > 0) this.faults.push(`${at}: the schema does not allow ${unknown.join(', ')}`);
      return;
    }
    if (type.flags & ts.TypeFlags.StringLike) return this.expectKind(kind, ['string'], at);
    if (type.flags & ts.TypeFlags.NumberLike) return this.expectKind(kind, ['number', 'integer'], at);
    if (this.checker.isArrayType(type)) {
      this.expectKind(kind, ['array'], at);
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      if (item && schema.items) this.compare(item, resolved(schema.items), `${at}[]`);
      return;
    }
    this.expectKind(kind, ['object'], at);
    this.compareProperties(type, schema, at);
  }

  private compareProperties(type: ts.Type, schema: Schema, at: string): void {
    for (const property of type.getProperties()) {
      const path = `${at}.${property.name}`;
      const inner = schema.properties?.[property.name];
      if (!inner) {
        this.faults.push(`${path}: the schema has no such property`);
        continue;
      }
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      if (!isOptional && !schema.required?.includes(property.name)) {
        this.faults.push(`${path}: always there by its type, but the schema does not require it`);
      }
      this.compare(this.checker.getTypeOfSymbol(property), resolved(inner), path);
    }
  }

  private expectKind(kind: string | undefined, kinds: string[], at: string): void {
    if (!kinds.includes(kind ?? ''))
      this.faults.push(`${at}: ${kinds.join(' or ')} by its type, ${kind} by the schema`);
  }
}

function faultsOf(text: string | null): string[] {
  const path = join(import.meta.dirname, 'settings.types.ts');
  const options = { strict: true, noEmit: true, lib: ['lib.es2023.d.ts'], types: [] };
  const host = ts.createCompilerHost(options);
  const read = host.readFile.bind(host);
  const getSource = host.getSourceFile.bind(host);
  if (text !== null) {
    host.readFile = (name) => (name === path ? text : read(name));
    host.getSourceFile = (name, version) =>
      name === path ? ts.createSourceFile(name, text, version) : getSource(name, version);
  }
  const program = ts.createProgram([path], options, host);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path)!;
  const root = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source)!)
    .find(({ name }) => name === 'ProjectSettings')!;
  const comparison = new Comparison(checker);
  comparison.compare(checker.getDeclaredTypeOfSymbol(root), components['ProjectSettings']!, 'settings');
  return comparison.faults;
}

describe('the types of the settings that code reads', () => {
  it('say of each property what the schema says', () => {
    expect(faultsOf(null)).toEqual([]);
  });

  it('would be seen to say something else', () => {
    const text = `export interface ProjectSettings {
      chains: string[];
      sdk?: { multiWallet?: number; multiWalet?: boolean };
      security: { auth: { storage: ('cookie' | 'memory')[] } };
    }`;
    expect(faultsOf(text)).toEqual([
      'settings.chains[]: string by its type, object by the schema',
      'settings.sdk.multiWallet: number or integer by its type, boolean by the schema',
      'settings.sdk.multiWalet: the schema has no such property',
      'settings.security.auth: always there by its type, but the schema does not require it',
      'settings.security.auth.storage[]: the schema does not allow memory',
    ]);
  });
});
