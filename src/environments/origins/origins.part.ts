import { Injectable } from '@nestjs/common';
import type { EnvironmentKind } from '../../auth/index.js';
import { EnvironmentParts } from '../promotion/environment-parts.js';
import { TextSetPart } from '../text-sets/text-set-part.js';
import type { OriginEntity } from './origin.entity.js';
import { OriginsRepository } from './origins.repository.js';
import { OriginsService } from './origins.service.js';
import { parseOrigin } from './parse-origin.js';

/** The sites from which browsers may call an environment; plain http on localhost is not promoted out of a sandbox. */
@Injectable()
export class OriginsPart extends TextSetPart<OriginEntity> {
  override readonly name = 'origins';

  constructor(origins: OriginsRepository, service: OriginsService, parts: EnvironmentParts) {
    super(origins, service);
    parts.register(this);
  }

  protected override refusal(text: string, kind: EnvironmentKind): string | undefined {
    return parseOrigin(text, kind).refusal;
  }
}
