/**
 * SQL that keeps `custom_field_values` in step with users' metadata, as part of the statements that write users: no
 * extra statement, and no metadata without its values. `$1` is the environment, `$2` the user, `u` the row as written.
 */

/** Whether metadata has a value for a key other than null and the empty string. */
export const isGiven = (metadata: string, key: string): string =>
  `(${metadata} -> ${key}) NOT IN ('null'::jsonb, '""'::jsonb)`;

/**
 * What values are compared by. Texts are the same in composed and decomposed letters (Unicode NFC), which keyboards of
 * one person differ in, and whatever space surrounds them; they are stored as sent. A database in another encoding than
 * UTF8, as `initdb` makes where there is no locale, knows no forms of letters.
 */
export const hashOf = (metadata: string, key: string): string =>
  `sha256(convert_to((CASE WHEN jsonb_typeof(${metadata} -> ${key}) <> 'string' THEN ${metadata} -> ${key}
     WHEN getdatabaseencoding() = 'UTF8'
       THEN to_jsonb(btrim(normalize(${metadata} ->> ${key}), E' \\t\\n\\r' || chr(160)))
     ELSE to_jsonb(btrim(${metadata} ->> ${key}, E' \\t\\n\\r')) END)::text, 'UTF8'))`;

/**
 * The fields for which the metadata of `u` has values, locked against becoming unique meanwhile: a change to unique
 * waits for values being written, and later writes see that the field is unique.
 */
const fieldsOf = (condition: string): string => `f AS (
  SELECT f.id, f.key, f.is_unique
  FROM u JOIN custom_fields f ON f.environment_id = $1 AND ${isGiven('u.metadata', 'f.key')}
  WHERE ${condition} ORDER BY f.id FOR KEY SHARE OF f
)`;

const put = (conflict: string): string => `v AS (
  INSERT INTO custom_field_values AS c (environment_id, field_id, user_id, value_hash, is_unique)
  SELECT $1, f.id, $2, ${hashOf('u.metadata', 'f.key')}, f.is_unique FROM f CROSS JOIN u ORDER BY f.id
  ON CONFLICT ${conflict}
)`;

/** For a statement that inserts `u`. A new user is never refused: on a conflict the earlier user keeps the value. */
export const VALUES_OF_NEW_USER = `${fieldsOf('true')}, ${put('DO NOTHING')}`;

/** For a statement that updates `u`; `changed` is whether it writes the metadata. */
export const valuesOfUser = (changed: string): string => `${fieldsOf(changed)}, gone AS (
  DELETE FROM custom_field_values
  WHERE environment_id = $1 AND user_id = $2 AND ${changed} AND field_id NOT IN (SELECT id FROM f)
), ${put(`(environment_id, field_id, user_id) DO UPDATE
  SET value_hash = excluded.value_hash, is_unique = excluded.is_unique
  WHERE (c.value_hash, c.is_unique) IS DISTINCT FROM (excluded.value_hash, excluded.is_unique)`)}`;
