import type { MigrationInterface, QueryRunner } from 'typeorm';

const SKIPS = "coalesce((s.settings #> '{general,skipOptionalKYCFieldDuringOnboarding}')::boolean, true)";

/** Refreshes an environment's fields, with a condition for optional ones. */
const refresh = (condition: { standard: string; custom: string }): string => `
  CREATE OR REPLACE FUNCTION refresh_asked_fields(environment uuid) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM asked_fields WHERE environment_id = environment FOR UPDATE;
    UPDATE asked_fields SET fields = (
      SELECT jsonb_agg(a.field ORDER BY a.kind, a.position, a.id) FROM (
        SELECT k.field, 1 AS kind, k.place AS position, NULL::uuid AS id
        FROM environment_settings s,
          jsonb_path_query(s.settings, '$.kyc[*] ? (@.enabled == true)') WITH ORDINALITY AS k (field, place)
        WHERE s.environment_id = environment ${condition.standard}
        UNION ALL
        SELECT jsonb_strip_nulls(jsonb_build_object('name', c.key, 'label', c.name, 'type', 'custom', 'enabled', true,
          'required', c.required, 'unique', c.is_unique, 'verify', false, 'validationType', c.field_type,
          'validationRules', c.validation_rules, 'position', c.position)), 2, c.position, c.id
        FROM custom_fields c WHERE c.environment_id = environment AND c.enabled ${condition.custom}
      ) a)
    WHERE environment_id = environment;
  END $$`;

const notice = (condition: string): string => `
  CREATE TRIGGER asked_by_settings AFTER UPDATE ON environment_settings
  FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION note_asked_fields()`;

const KYC_CHANGED = "OLD.settings -> 'kyc' IS DISTINCT FROM NEW.settings -> 'kyc'";
const SKIP = "settings #> '{general,skipOptionalKYCFieldDuringOnboarding}'";

/** Onboarding skips optional fields when configured to, which is the default. */
export class AskRequiredFields20261122010003 implements MigrationInterface {
  name = 'AskRequiredFields20261122010003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      refresh({
        standard: `AND (k.field -> 'required' = 'true' OR NOT ${SKIPS})`,
        custom: `AND (c.required OR NOT (SELECT ${SKIPS} FROM environment_settings s WHERE s.environment_id = environment))`,
      }),
    );
    await runner.query('DROP TRIGGER asked_by_settings ON environment_settings');
    await runner.query(notice(`${KYC_CHANGED} OR OLD.${SKIP} IS DISTINCT FROM NEW.${SKIP}`));
    await runner.query('SELECT refresh_asked_fields(environment_id) FROM asked_fields');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refresh({ standard: '', custom: '' }));
    await runner.query('DROP TRIGGER asked_by_settings ON environment_settings');
    await runner.query(notice(KYC_CHANGED));
    await runner.query('SELECT refresh_asked_fields(environment_id) FROM asked_fields');
  }
}
