import { PROFILE_COLUMNS } from '../../../src/identity/users/profile-columns.js';
import type { Tenant } from '../surface/tenant.js';
import { CONTACTS, FIELDS, type Profile, type Row } from './rows.js';

const CUSTOM = FIELDS.filter(({ custom }) => custom);
const STANDARD = FIELDS.filter(({ custom }) => !custom);
const NOTHING: Row = { name: 'nothing', asks: [], skipsOptional: true, given: {}, missing: [], scope: 'user:basic' };

const SKIPS = "'{general,skipOptionalKYCFieldDuringOnboarding}'";

/** The onboarding requirements of a tenant's users, changed between the preparation of a call and the call itself. */
export class Onboarding {
  private constructor(private readonly tenant: Tenant) {}

  /** For a separate database: new users have the same answers as everybody else. */
  static async open(tenant: Tenant): Promise<Onboarding> {
    const { db, world } = tenant;
    const onboarding = new Onboarding(tenant);
    await db.query('UPDATE custom_fields SET enabled = false WHERE environment_id = $1', [world.environmentId]);
    for (const [position, { name, required, custom }] of CUSTOM.entries()) {
      const field = { name, required, enabled: false, fieldType: custom, position };
      await world.api.post(world.path('/custom/fields'), field, { expect: 201 });
    }
    await onboarding.supply({});
    await db.query(
      `CREATE TRIGGER supplied BEFORE INSERT ON users
       FOR EACH ROW WHEN (NEW.environment_id = '${world.environmentId}') EXECUTE FUNCTION supply_profile()`,
    );
    await onboarding.calm();
    return onboarding;
  }

  /** Requires nothing, so that everybody's session is complete. */
  calm(): Promise<void> {
    return this.set(NOTHING);
  }

  /** Applies a row to everybody. */
  async begin(row: Row): Promise<void> {
    await this.supply(row.given);
    await this.set(row);
  }

  /** Contacts need not be verified, so that a row's result does not depend on who has verified what. */
  private async set({ asks, asksContacts, skipsOptional }: Row): Promise<void> {
    const { db, world } = this.tenant;
    const names = [...asks, ...(asksContacts ? CONTACTS : [])];
    const required = STANDARD.flatMap((field) => (field.required ? [field.name] : []));
    await db.query(
      `UPDATE environment_settings SET settings = jsonb_set(
         CASE WHEN $4::boolean IS NULL THEN settings #- ${SKIPS} ELSE jsonb_set(settings, ${SKIPS}, to_jsonb($4::boolean)) END,
         '{kyc}', (SELECT jsonb_agg(k || jsonb_build_object(
           'enabled', k->>'name' = ANY ($2::text[]), 'required', k->>'name' = ANY ($3::text[]), 'verify', false))
           FROM jsonb_array_elements(settings->'kyc') k))
       WHERE environment_id = $1`,
      [world.environmentId, names, required, skipsOptional ?? null],
    );
    await db.query('UPDATE custom_fields SET enabled = key = ANY ($2::text[]) WHERE environment_id = $1', [
      world.environmentId,
      names,
    ]);
  }

  /** Gives everybody these answers, also future users. */
  private async supply(profile: Profile): Promise<void> {
    const { db, world } = this.tenant;
    const columns = JSON.stringify(columnsOf(profile));
    await db.query(
      `CREATE OR REPLACE FUNCTION supply_profile() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RETURN jsonb_populate_record(NEW, '${columns}'); END $$`,
    );
    const names = Object.keys(columnsOf(profile));
    await db.query(
      `UPDATE users u SET (${names.join(', ')}) = (SELECT ${names.map((name) => `r.${name}`).join(', ')}
         FROM jsonb_populate_record(u, $2::jsonb) r) WHERE environment_id = $1`,
      [world.environmentId, columns],
    );
  }
}

/** A whole profile by column; missing values are empty. */
function columnsOf(profile: Profile): Record<string, unknown> {
  const standard = STANDARD.filter(({ name }) => !(CONTACTS as readonly string[]).includes(name));
  const columns: Record<string, string> = PROFILE_COLUMNS;
  return {
    ...Object.fromEntries(standard.map(({ name }) => [columns[name]!, profile[name] ?? null])),
    metadata: Object.fromEntries(CUSTOM.flatMap(({ name }) => (name in profile ? [[name, profile[name]]] : []))),
  };
}
