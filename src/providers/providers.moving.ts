import { Injectable } from '@nestjs/common';
import { MovingPart, moves } from '../moving/index.js';
import { ProviderRow } from './settings/provider.entity.js';
import { providerSecretContext } from './settings/provider-secrets.js';

@Injectable()
export class ProvidersMoving extends MovingPart {
  readonly moving = [
    moves(ProviderRow, {
      seal: {
        column: 'sealedSecret',
        by: (row) => providerSecretContext({ environmentId: String(row['environment_id']), id: String(row['id']) }),
      },
    }),
  ];
  readonly staying = [];
}
