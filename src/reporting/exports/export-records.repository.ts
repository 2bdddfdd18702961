import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../database/index.js';
import type { CsvValue } from './csv.js';
import type { ExportModel } from './export.dto.js';

/** Records per part of a file. */
export const PAGE = 2_000;

/** Column names and the data they contain, the id first. */
const COLUMNS: Record<ExportModel, readonly (readonly [name: string, column: string])[]> = {
  users: [
    ['id', 'id'],
    ['email', 'email'],
    ['username', 'username'],
    ['alias', 'alias'],
    ['firstName', 'first_name'],
    ['lastName', 'last_name'],
    ['phoneNumber', 'phone_number'],
    ['jobTitle', 'job_title'],
    ['team', 'team'],
    ['country', 'country'],
    ['policiesConsent', 'policies_consent'],
    ['metadata', 'metadata'],
    ['externalUserId', 'external_user_id'],
    ['firstVisit', 'first_visit'],
    ['lastVisit', 'last_visit'],
    ['createdAt', 'created_at'],
  ],
  visits: [
    ['id', 'id'],
    ['address', 'address'],
    ['chain', 'chain'],
    ['provider', 'provider'],
    ['walletName', 'wallet_name'],
    ['visits', 'visits'],
    ['createdAt', 'created_at'],
    ['lastVisit', 'last_visit'],
    ['authMode', 'auth_mode'],
  ],
};

const page = (name: string, table: string, model: ExportModel) =>
  scopedStatement(
    name,
    `SELECT ${COLUMNS[model].map(([shown, column]) => `${column} AS "${shown}"`).join(', ')} FROM ${table}
     WHERE environment_id = $1 AND id > $2 ORDER BY environment_id, id LIMIT ${PAGE}`,
  );

const PAGES = {
  users: page('users.listForExport', 'users', 'users'),
  visits: page('visitors.listForExport', 'visitors', 'visits'),
} as const;

/** The data for export files, paged along the key at a constant cost per page. */
@Injectable()
export class ExportRecordsRepository {
  constructor(private readonly database: Database) {}

  /** The column names. */
  headOf(model: ExportModel): string[] {
    return COLUMNS[model].map(([name]) => name);
  }

  /** Records after an id, as values in column order. */
  async page(environmentId: EnvironmentId, model: ExportModel, after: string): Promise<CsvValue[][]> {
    const rows = await this.database.rows<Record<string, CsvValue>>(PAGES[model], [environmentId, after]);
    return rows.map((row) => this.headOf(model).map((name) => row[name]!));
  }
}
