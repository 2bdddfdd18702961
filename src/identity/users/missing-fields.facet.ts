import { Injectable, type OnModuleInit } from '@nestjs/common';
import { STORED_COLUMNS } from './profile-columns.js';
import { UserFacets, type UserFacet } from './user-facets.js';

/** Null when the environment asks for nothing; found once for a statement, whichever users it reads. */
const ASKED = '(SELECT fields FROM asked_fields WHERE environment_id = $1)';

const { metadata: _metadata, privateMetadata: _private, policiesConsent, ...TEXTS } = STORED_COLUMNS;
const WHENS = Object.entries(TEXTS).map(([name, column]) => `WHEN '${name}' THEN u.${column}::text`);

/** What `u` has for the field `m`; consent that is refused is no consent, and a field nobody knows is not missing. */
const GIVEN = `CASE
  WHEN m.field->>'type' = 'custom' AND m.field->>'validationType' = 'checkbox' AND (m.field->'required')::boolean
    THEN CASE WHEN u.metadata->(m.field->>'name') = 'true' THEN 'true' END
  WHEN m.field->>'type' = 'custom' THEN u.metadata->>(m.field->>'name')
  WHEN m.field->>'name' = 'policiesConsent' THEN CASE WHEN u.${policiesConsent} THEN 'true' END
  ELSE CASE m.field->>'name' ${WHENS.join(' ')} ELSE 'unknown' END
END`;

const MISSING = `(
  SELECT jsonb_agg(m.field ORDER BY m.place) FROM jsonb_array_elements(${ASKED}) WITH ORDINALITY AS m (field, place)
  WHERE coalesce(${GIVEN}, '') = ''
)`;

/** The field `missingFields` of users: what the environment asks for and they have not supplied; absent when nothing. */
@Injectable()
export class MissingFieldsFacet implements UserFacet, OnModuleInit {
  readonly name = 'missingFields';
  readonly select = MISSING;

  constructor(private readonly facets: UserFacets) {}

  onModuleInit(): void {
    this.facets.register(this);
  }
}
