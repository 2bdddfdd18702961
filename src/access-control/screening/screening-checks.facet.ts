import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UserFacets, type UserFacet } from '../../identity/index.js';

/** More wallets than these a user does not have for long. */
const MOST_SHOWN = 20;

const CHECKS = `(
  SELECT jsonb_agg(jsonb_build_object('id', s.id, 'createdAt', s.created_at, 'result', s.result,
    'walletPublicKey', s.address, 'response', s.response) ORDER BY s.id DESC)
  FROM (SELECT * FROM screening_checks k WHERE k.environment_id = $1 AND k.user_id = u.id
    ORDER BY k.id DESC LIMIT ${MOST_SHOWN}) s
)`;

/** The field `screeningChecks` of users: what was found out last about each of their wallets. */
@Injectable()
export class ScreeningChecksFacet implements UserFacet, OnModuleInit {
  readonly name = 'screeningChecks';
  readonly select = CHECKS;

  constructor(private readonly facets: UserFacets) {}

  onModuleInit(): void {
    this.facets.register(this);
  }
}
