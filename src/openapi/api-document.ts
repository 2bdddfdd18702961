import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { settingsComponents } from '../environments/index.js';
import { documentOf } from './document.js';
import { operationsOf, type OpenApiDocument, type Schemas } from './document-types.js';

/** The schemas that operations use and no class declares. */
export const EXTRA_SCHEMAS = settingsComponents as Schemas;

/** Values for parameters of paths, by name, with which operations can be tried at once. */
export type ParameterExamples = Readonly<Record<string, string>>;

/** The document of the running service, made when somebody first asks for it. */
@Injectable()
export class ApiDocument {
  private document: OpenApiDocument | null = null;

  constructor(private readonly modules: ModulesContainer) {}

  get(): OpenApiDocument {
    return (this.document ??= documentOf(this.modules, EXTRA_SCHEMAS));
  }

  /** The same with parameters filled in. Served to the explorer alone: the plain document is the committed one. */
  withExamples(examples: ParameterExamples): OpenApiDocument {
    const document = structuredClone(this.get());
    for (const { operation } of operationsOf(document)) {
      operation.parameters = (operation.parameters ?? []).map((parameter) => {
        const example = 'in' in parameter && parameter.in === 'path' ? examples[parameter.name] : undefined;
        return example === undefined ? parameter : { ...parameter, example };
      });
    }
    return document;
  }
}
