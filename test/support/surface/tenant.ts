import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Role } from '../../../src/auth/index.js';
import { newId } from '../../../src/common/ids.js';
import { UnitOfWork } from '../../../src/database/index.js';
import { UserIdentities } from '../../../src/identity/index.js';
import { PersonalTokensService } from '../../../src/organizations/index.js';
import type { TestApp } from '../app.js';
import type { TestClient } from '../client.js';
import { newEmail, World, type SignedIn } from '../world.js';
import { recordName, type ApiOperation } from './operations.js';
import type { RecordIds } from './records.js';
import { serviceSurface } from './registry.js';
import type { WholeSurface } from './surface.js';

export interface Member {
  id: string;
  userId: string;
  email: string;
  /** A personal token. */
  token: string;
  /** Calls with it, or with a console session for calls that require a proof. */
  client: TestClient;
}

/** A sign-in counts as a fresh proof for five minutes, and the suite may take longer. */
const PROVEN_MS = 60_000;

/** An organization with a record for every id in a path, each with the tenant's marker. */
export class Tenant {
  private provenAt = performance.now();

  private constructor(
    readonly world: World,
    readonly db: pg.Client,
    /** A word unique to the tenant. */
    readonly marker: string,
    readonly endUser: SignedIn,
    readonly ids: RecordIds,
    private readonly surface: WholeSurface,
  ) {}

  static async create(test: TestApp, surface: WholeSurface = serviceSurface): Promise<Tenant> {
    const world = await World.create(test);
    const db = new pg.Client({ connectionString: test.databaseUrl });
    await db.connect();
    const marker = `marker${randomBytes(6).toString('hex')}`;
    const endUser = await world.signIn(`${marker}-end-user@example.com`);
    const { environments, organizationId, projectId } = world.ids;
    const ids = { environmentId: environments.sandbox, organizationId, projectId };
    const tenant = new Tenant(world, db, marker, endUser, ids, surface);
    await world.owner.put(`/projects/${projectId}`, { name: `${marker} project` }, { expect: 200 });
    for (const name of Object.keys(surface.records)) await tenant.idOf(name);
    return tenant;
  }

  /** Texts that must never reach another tenant. */
  get secrets(): string[] {
    const { live } = this.world.ids.environments;
    return [this.marker, this.world.ownerEmail, this.world.ids.ownerUserId, live, ...Object.values(this.ids)];
  }

  /** Closes the database connection. */
  async close(): Promise<void> {
    await this.db.end();
  }

  /** As if the end user had signed in again, in the same session. */
  async proveEndUser(): Promise<void> {
    if (performance.now() - this.provenAt < PROVEN_MS) return;
    this.provenAt = performance.now();
    const { sessionId } = this.endUser;
    await this.db.query(
      'UPDATE sessions SET created_at = now(), authenticated_at = now() WHERE environment_id = $1 AND id = $2',
      [this.world.environmentId, sessionId],
    );
  }

  /** The tenant's own record of a kind, created on first use. */
  async idOf(name: string): Promise<string> {
    return (this.ids[name] ??= await this.makeRecord(name));
  }

  /** A new record for a path; those of people belong to `userId`, by default the owner. */
  async makeRecord(name: string, userId: string = this.world.ids.ownerUserId): Promise<string> {
    const record = this.surface.records[name];
    if (!record) throw new Error(`No surface file declares the record ${name}, which a path names.`);
    await this.proveEndUser();
    return record.make(this, userId);
  }

  /** Another person of the organization. */
  async addMember(role: Role): Promise<Member> {
    const { app } = this.world.test;
    const { consoleEnvironmentId, organizationId } = this.world.ids;
    const email = newEmail();
    const { userId } = await app
      .get(UnitOfWork)
      .run((tx) =>
        app
          .get(UserIdentities)
          .ensure(consoleEnvironmentId, { kind: 'email', value: email }, { proven: false, draft: { email } }, tx),
      );
    // As the service does: members are listed in id order.
    const id = newId();
    await this.db.query('INSERT INTO members (organization_id, id, user_id, role) VALUES ($1, $2, $3, $4)', [
      organizationId,
      id,
      userId,
      role,
    ]);
    const { rawToken } = await app.get(PersonalTokensService).mint(consoleEnvironmentId, userId, { note: role });
    const client = this.world.member({ token: rawToken, email });
    return { id, userId, email, token: rawToken, client };
  }

  /** The path of an operation with the tenant's record ids, or with those given instead. */
  pathOf(operation: ApiOperation, instead: RecordIds = {}): string {
    const ids = { ...this.surface.kinds, ...this.ids, ...instead };
    return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const kind = operation.surface.kinds?.[name];
      return kind ?? ids[recordName(operation, name)] ?? '';
    });
  }
}
