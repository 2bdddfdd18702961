import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { environmentComponents, settingsComponents } from '../environments/index.js';
import { documentOf } from './document.js';
import type { OpenApiDocument, Schemas } from './document-types.js';

/** The schemas that operations use and no class declares. */
export const EXTRA_SCHEMAS = { ...settingsComponents, ...environmentComponents } as Schemas;

/** The document of the running service, made when somebody first asks for it. */
@Injectable()
export class ApiDocument {
  private document: OpenApiDocument | null = null;

  constructor(private readonly modules: ModulesContainer) {}

  get(): OpenApiDocument {
    return (this.document ??= documentOf(this.modules, EXTRA_SCHEMAS));
  }
}
