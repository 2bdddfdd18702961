import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { environmentComponents, settingsComponents } from '../environments/index.js';
import { documentOf } from './document.js';
import type { OpenApiDocument, Schemas } from './document-types.js';

/** Schemas used by operations but declared by no class. */
export const EXTRA_SCHEMAS = { ...settingsComponents, ...environmentComponents } as Schemas;

/** The document of the running service, created on first use. */
@Injectable()
export class ApiDocument {
  private document: OpenApiDocument | null = null;

  constructor(private readonly modules: ModulesContainer) {}

  get(): OpenApiDocument {
    return (this.document ??= documentOf(this.modules, EXTRA_SCHEMAS));
  }
}
