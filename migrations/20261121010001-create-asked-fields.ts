import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The fields an environment asks for, in the form used to find missing ones: read with every user, rarely changed. */
export class CreateAskedFields20261121010001 implements MigrationInterface {
  name = 'CreateAskedFields20261121010001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE asked_fields (
        environment_id uuid NOT NULL,
        fields jsonb,
        PRIMARY KEY (environment_id),
        CONSTRAINT asked_fields_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    // The lock is taken in a separate statement, so that the next one sees what its previous holder committed.
    await runner.query(`
      CREATE FUNCTION refresh_asked_fields(environment uuid) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM 1 FROM asked_fields WHERE environment_id = environment FOR UPDATE;
        UPDATE asked_fields SET fields = (
          SELECT jsonb_agg(a.field ORDER BY a.kind, a.position, a.id) FROM (
            SELECT k.field, 1 AS kind, k.place AS position, NULL::uuid AS id
            FROM environment_settings s,
              jsonb_path_query(s.settings, '$.kyc[*] ? (@.enabled == true)') WITH ORDINALITY AS k (field, place)
            WHERE s.environment_id = environment
            UNION ALL
            SELECT jsonb_strip_nulls(jsonb_build_object('name', c.key, 'label', c.name, 'type', 'custom', 'enabled', true,
              'required', c.required, 'unique', c.is_unique, 'verify', false, 'validationType', c.field_type,
              'validationRules', c.validation_rules, 'position', c.position)), 2, c.position, c.id
            FROM custom_fields c WHERE c.environment_id = environment AND c.enabled
          ) a)
        WHERE environment_id = environment;
      END $$`);
    await runner.query(`
      CREATE FUNCTION note_asked_fields() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- A removed environment takes its rows along in any order, so a removal makes none.
        IF TG_OP = 'DELETE' THEN
          PERFORM refresh_asked_fields(OLD.environment_id);
        ELSE
          INSERT INTO asked_fields (environment_id) VALUES (NEW.environment_id) ON CONFLICT DO NOTHING;
          PERFORM refresh_asked_fields(NEW.environment_id);
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER asked_by_new_settings AFTER INSERT ON environment_settings
      FOR EACH ROW EXECUTE FUNCTION note_asked_fields()`);
    await runner.query(`
      CREATE TRIGGER asked_by_settings AFTER UPDATE ON environment_settings
      FOR EACH ROW WHEN (OLD.settings -> 'kyc' IS DISTINCT FROM NEW.settings -> 'kyc')
      EXECUTE FUNCTION note_asked_fields()`);
    await runner.query(`
      CREATE TRIGGER asked_by_custom_fields AFTER INSERT OR UPDATE OR DELETE ON custom_fields
      FOR EACH ROW EXECUTE FUNCTION note_asked_fields()`);
    await runner.query(`
      INSERT INTO asked_fields (environment_id)
      SELECT environment_id FROM environment_settings UNION SELECT environment_id FROM custom_fields`);
    await runner.query('SELECT refresh_asked_fields(environment_id) FROM asked_fields');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER asked_by_custom_fields ON custom_fields');
    await runner.query('DROP TRIGGER asked_by_settings ON environment_settings');
    await runner.query('DROP TRIGGER asked_by_new_settings ON environment_settings');
    await runner.query('DROP FUNCTION note_asked_fields');
    await runner.query('DROP FUNCTION refresh_asked_fields');
    await runner.query('DROP TABLE asked_fields');
  }
}
