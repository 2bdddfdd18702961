import { Injectable } from '@nestjs/common';
import type { OrganizationId, Role } from '../auth/index.js';
import { Database, asSystem, scopedStatement, type Transaction } from '../database/index.js';
import type { OrganizationAddress } from './organization.entity.js';

/** An organization as one of its members sees it. */
export interface OrganizationOfMember {
  id: string;
  name: string;
  description: string | null;
  websiteUrl: string | null;
  address: OrganizationAddress | null;
  role: Role;
}

const OF_MEMBER = `o.id, o.name, o.description, o.website_url AS "websiteUrl", o.address, m.role
  FROM members m JOIN organizations o ON o.id = m.organization_id`;

const LIST_OF_USER = asSystem('a user asks for their own organizations, whichever these are').statement(
  'organizations.listOfUser',
  `SELECT ${OF_MEMBER} WHERE m.user_id = $1 ORDER BY o.name, o.id`,
);
const FIND = scopedStatement(
  'organizations.find',
  `SELECT ${OF_MEMBER} WHERE m.organization_id = $1 AND m.user_id = $2`,
);
const INSERT = asSystem('an organization is the scope itself and has no column that names one').statement(
  'organizations.insert',
  'INSERT INTO organizations (id, name) VALUES ($1, $2)',
);

@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: Database) {}

  listOfUser(userId: string): Promise<OrganizationOfMember[]> {
    return this.database.rows<OrganizationOfMember>(LIST_OF_USER, [userId]);
  }

  async find(organizationId: OrganizationId, userId: string): Promise<OrganizationOfMember | null> {
    return (await this.database.rows<OrganizationOfMember>(FIND, [organizationId, userId]))[0] ?? null;
  }

  async insert(organizationId: OrganizationId, name: string, tx: Transaction): Promise<void> {
    await tx.execute(INSERT, [organizationId, name]);
  }
}
