import { STORED_COLUMNS } from './profile-columns.js';

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

/** What the environment asks for and the user `u` has not supplied; null when that is nothing. `$1` is the environment. */
export const MISSING_FIELDS = `(
  SELECT jsonb_agg(m.field ORDER BY m.place) FROM jsonb_array_elements(${ASKED}) WITH ORDINALITY AS m (field, place)
  WHERE coalesce(${GIVEN}, '') = ''
)`;
