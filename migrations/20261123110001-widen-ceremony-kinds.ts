import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rooms for refreshing and resharing keys. */
export class WidenCeremonyKinds20261123110001 implements MigrationInterface {
  name = 'WidenCeremonyKinds20261123110001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ceremony_rooms DROP CONSTRAINT ceremony_rooms_kind');
    await runner.query(`
      ALTER TABLE ceremony_rooms ADD CONSTRAINT ceremony_rooms_kind
        CHECK (kind IN ('keygen', 'sign', 'refresh', 'reshare'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM ceremony_rooms WHERE kind IN ('refresh', 'reshare')");
    await runner.query('ALTER TABLE ceremony_rooms DROP CONSTRAINT ceremony_rooms_kind');
    await runner.query(
      "ALTER TABLE ceremony_rooms ADD CONSTRAINT ceremony_rooms_kind CHECK (kind IN ('keygen', 'sign'))",
    );
  }
}
