import { Injectable } from '@nestjs/common';
import type { OrganizationId, Role } from '../auth/index.js';
import { Database, asSystem, scopedStatement, type Transaction, tenantStatement } from '../database/index.js';
import type { Organization, OrganizationAddress } from './organization.entity.js';
import { MAX_ORGANIZATIONS } from './organization.errors.js';

/** An organization as one of its members sees it. */
export interface OrganizationOfMember {
  id: string;
  name: string;
  description: string | null;
  websiteUrl: string | null;
  address: OrganizationAddress | null;
  role: Role;
}

/** The fields that members may change. */
export type OrganizationRow = Pick<Organization, 'id' | 'name' | 'description' | 'websiteUrl' | 'address'>;
export type NewOrganizationRow = Pick<Organization, 'name' | 'description' | 'websiteUrl' | 'implementationTimeline'>;

const COLUMNS = 'id, name, description, website_url AS "websiteUrl", address';

const OF_MEMBER = `o.id, o.name, o.description, o.website_url AS "websiteUrl", o.address, m.role
  FROM members m JOIN organizations o ON o.id = m.organization_id`;

const LIST_OF_USER = asSystem('a user asks for their own organizations, whichever these are').statement(
  'organizations.listOfUser',
  `SELECT ${OF_MEMBER} WHERE m.user_id = $1 ORDER BY o.name, o.id LIMIT ${MAX_ORGANIZATIONS}`,
);
const FIND = scopedStatement(
  'organizations.find',
  `SELECT ${OF_MEMBER} WHERE m.organization_id = $1 AND m.user_id = $2`,
);
const LIST_NAMES_OF_USER = asSystem('names are compared among the organizations of one person').statement(
  'organizations.listNamesOfUser',
  `SELECT o.id, o.name FROM members m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1`,
);
const LIST_ENVIRONMENTS_OF_USER = asSystem('a user asks what they can reach, in whichever organization').statement(
  'organizations.listEnvironmentsOfUser',
  `SELECT e.id FROM members m JOIN projects p ON p.organization_id = m.organization_id AND p.deleted_at IS NULL
   JOIN environments e ON e.project_id = p.id AND e.deleted_at IS NULL WHERE m.user_id = $1 ORDER BY e.id`,
);
const INSERT = tenantStatement(
  'organizations.insert',
  `INSERT INTO organizations (id, name, description, website_url, implementation_timeline)
   VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
);
const LOCK = tenantStatement(
  'organizations.lock',
  `SELECT ${COLUMNS} FROM organizations WHERE id = $1 FOR NO KEY UPDATE`,
);
const UPDATE = tenantStatement(
  'organizations.update',
  `UPDATE organizations SET name = $2, description = $3, website_url = $4, address = $5, updated_at = now()
   WHERE id = $1`,
);
const NAME = tenantStatement('organizations.readName', 'SELECT name FROM organizations WHERE id = $1');

@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: Database) {}

  listOfUser(userId: string): Promise<OrganizationOfMember[]> {
    return this.database.rows<OrganizationOfMember>(LIST_OF_USER, [userId]);
  }

  /** Exact while the caller holds the lock on the person. */
  listNamesOfUser(userId: string, tx: Transaction): Promise<{ id: string; name: string }[]> {
    return tx.rows<{ id: string; name: string }>(LIST_NAMES_OF_USER, [userId]);
  }

  async listEnvironmentsOfUser(userId: string): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(LIST_ENVIRONMENTS_OF_USER, [userId])).map(({ id }) => id);
  }

  async find(organizationId: OrganizationId, userId: string): Promise<OrganizationOfMember | null> {
    return (await this.database.rows<OrganizationOfMember>(FIND, [organizationId, userId]))[0] ?? null;
  }

  async insert(organizationId: OrganizationId, row: NewOrganizationRow, tx: Transaction): Promise<OrganizationRow> {
    const { name, description, websiteUrl, implementationTimeline } = row;
    const values = [organizationId, name, description, websiteUrl, implementationTimeline];
    return (await tx.rows<OrganizationRow>(INSERT, values))[0]!;
  }

  /** Serialises what counts or changes rows of the organization. Inserts that reference it do not wait. */
  async lock(organizationId: OrganizationId, tx: Transaction): Promise<OrganizationRow | null> {
    return (await tx.rows<OrganizationRow>(LOCK, [organizationId]))[0] ?? null;
  }

  async update(organizationId: OrganizationId, row: Omit<OrganizationRow, 'id'>, tx: Transaction): Promise<void> {
    const { name, description, websiteUrl, address } = row;
    await tx.execute(UPDATE, [organizationId, name, description, websiteUrl, address && JSON.stringify(address)]);
  }

  async nameOf(organizationId: OrganizationId): Promise<string> {
    return (await this.database.rows<{ name: string }>(NAME, [organizationId]))[0]?.name ?? '';
  }
}
