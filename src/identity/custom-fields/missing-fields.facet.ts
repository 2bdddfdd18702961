import { Injectable, type OnModuleInit } from '@nestjs/common';
import { STORED_COLUMNS } from '../users/profile-columns.js';
import { UserFacets, type UserFacet } from '../users/user-facets.js';

/** Made once for a statement, whichever users it reads: it names no column of theirs. */
const ASKED = `(
  SELECT jsonb_agg(a.field ORDER BY a.kind, a.position, a.id) FROM (
    SELECT k.field, 1 AS kind, k.place AS position, NULL::uuid AS id
    FROM environment_settings s,
      jsonb_path_query(s.settings, '$.kyc[*] ? (@.enabled == true)') WITH ORDINALITY AS k (field, place)
    WHERE s.environment_id = $1
    UNION ALL
    SELECT jsonb_strip_nulls(jsonb_build_object('name', c.key, 'label', c.name, 'type', 'custom', 'enabled', true,
      'required', c.required, 'unique', c.is_unique, 'verify', false, 'validationType', c.field_type,
      'validationRules', c.validation_rules, 'position', c.position)), 2, c.position, c.id
    FROM custom_fields c WHERE c.environment_id = $1 AND c.enabled
  ) a)`;

const { metadata: _metadata, policiesConsent, ...TEXTS } = STORED_COLUMNS;
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
