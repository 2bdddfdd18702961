import type { MigrationInterface, QueryRunner } from 'typeorm';

const ENCODING = 'SELECT getdatabaseencoding() AS encoding';
const FIELDS = 'SELECT environment_id, id, key FROM custom_fields';

const TEXT = 'u.metadata ->> $3';
const HASH = `sha256(convert_to(to_jsonb(btrim(normalize(${TEXT}), E' \\t\\n\\r' || chr(160)))::text, 'UTF8'))`;

/** Where two users turn out to share a unique value, the earlier one keeps it, as if the other were created by a server. */
const REWRITE = `
  WITH spelled AS (
    SELECT v.user_id, v.is_unique, ${HASH} AS hash,
      row_number() OVER (PARTITION BY ${HASH} ORDER BY v.user_id) AS place
    FROM custom_field_values v JOIN users u ON u.environment_id = v.environment_id AND u.id = v.user_id
    WHERE v.environment_id = $1 AND v.field_id = $2 AND jsonb_typeof(u.metadata -> $3) = 'string'
      AND ${TEXT} ~ '^\\s|\\s$|[^\\x20-\\x7e]'
      AND v.value_hash = sha256(convert_to((u.metadata -> $3)::text, 'UTF8')) AND v.value_hash <> ${HASH}),
  found AS (
    SELECT s.user_id, s.hash, s.is_unique AND (s.place > 1 OR EXISTS (
      SELECT FROM custom_field_values o
      WHERE o.environment_id = $1 AND o.field_id = $2 AND o.value_hash = s.hash AND o.is_unique)) AS is_taken
    FROM spelled s),
  gone AS (
    DELETE FROM custom_field_values v USING found f
    WHERE v.environment_id = $1 AND v.field_id = $2 AND v.user_id = f.user_id AND f.is_taken)
  UPDATE custom_field_values v SET value_hash = f.hash FROM found f
  WHERE v.environment_id = $1 AND v.field_id = $2 AND v.user_id = f.user_id AND NOT f.is_taken`;

interface Field {
  environment_id: string;
  id: string;
  key: string;
}

/**
 * Values of custom fields are compared in Unicode NFC and without surrounding space. Only values that are spelled
 * otherwise are written, field by field.
 */
export class CompareTextsOfCustomFields20261130150000 implements MigrationInterface {
  name = 'CompareTextsOfCustomFields20261130150000';

  async up(runner: QueryRunner): Promise<void> {
    const [{ encoding } = { encoding: '' }] = (await runner.query(ENCODING)) as unknown as { encoding: string }[];
    // In no other encoding does PostgreSQL know forms of letters.
    if (encoding !== 'UTF8') return;
    const fields = (await runner.query(FIELDS)) as unknown as Field[];
    for (const { environment_id: environmentId, id, key } of fields) {
      await runner.query(REWRITE, [environmentId, id, key]);
    }
  }

  /** Earlier versions compare what they write themselves; the values are written again with the next change of a user. */
  async down(): Promise<void> {}
}
