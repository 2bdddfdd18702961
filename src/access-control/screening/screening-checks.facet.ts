import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rowsOf } from '../../database/index.js';
import { UserFacets, type UserFacet } from '../../identity/index.js';
import { ScreeningCheckRow } from './screening.entities.js';

/** Users rarely have more wallets than this. */
const MOST_SHOWN = 20;

/** The field `screeningChecks` of users: the last result for each of their wallets. */
@Injectable()
export class ScreeningChecksFacet implements UserFacet, OnModuleInit {
  readonly name = 'screeningChecks';
  readonly rows = rowsOf(ScreeningCheckRow).listed({
    subject: 'userId',
    order: ['-id'],
    most: MOST_SHOWN,
    fields: { id: 'id', createdAt: 'createdAt', result: 'result', walletPublicKey: 'address', response: 'response' },
  });

  constructor(private readonly facets: UserFacets) {}

  onModuleInit(): void {
    this.facets.register(this);
  }
}
