import { Injectable } from '@nestjs/common';
import type { EnvironmentId, EnvironmentKind } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { SERVICE } from '../../organizations/index.js';
import { EnvironmentParts } from '../promotion/environment-parts.js';
import { TextSetPart } from '../promotion/text-set-part.js';
import { OriginsRepository } from './origins.repository.js';
import { OriginsService } from './origins.service.js';
import { parseOrigin } from './parse-origin.js';

/** The sites that browsers may call an environment from; localhost in plain http stays in its sandbox. */
@Injectable()
export class OriginsPart extends TextSetPart {
  override readonly name = 'origins';

  constructor(
    private readonly origins: OriginsRepository,
    private readonly service: OriginsService,
    parts: EnvironmentParts,
  ) {
    super();
    parts.register(this);
  }

  protected override async rows(environmentId: EnvironmentId, tx: Transaction) {
    return (await this.origins.lockAll(environmentId, tx)).map(({ id, origin }) => ({ id, text: origin }));
  }

  protected override refusal(text: string, kind: EnvironmentKind): string | undefined {
    return parseOrigin(text, kind).refusal;
  }

  protected override insert(environmentId: EnvironmentId, text: string, tx: Transaction) {
    return this.service.insert(environmentId, text, SERVICE, tx);
  }

  protected override remove(environmentId: EnvironmentId, id: string, tx: Transaction) {
    return this.service.remove(environmentId, id, SERVICE, tx);
  }
}
