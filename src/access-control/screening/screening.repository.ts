import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import { newId } from '../../common/ids.js';
import { ScreeningIntegrationRow } from './screening.entities.js';

const IS_ON = scopedStatement(
  'screening.isOn',
  'SELECT sanctions_api_enabled AS "isOn" FROM screening_integrations WHERE environment_id = $1',
);
const SWITCH = scopedStatement(
  'screening.switch',
  `UPDATE screening_integrations SET sanctions_api_enabled = $2, updated_at = now()
   WHERE environment_id = $1 AND sanctions_api_enabled <> $2`,
);

@Injectable()
export class ScreeningRepository extends ScopedRepository<ScreeningIntegrationRow> {
  constructor(database: Database) {
    super(database, ScreeningIntegrationRow);
  }

  async isOn(environmentId: EnvironmentId, on: Executor): Promise<boolean> {
    return (await on.rows<{ isOn: boolean }>(IS_ON, [environmentId]))[0]?.isOn === true;
  }

  /** The environment's row, locked; created by the first of any concurrent calls. */
  async hold(environmentId: EnvironmentId, tx: Transaction): Promise<ScreeningIntegrationRow> {
    await this.insertIfAbsent(environmentId, { id: newId() }, tx);
    return (await this.lock(environmentId, {}, tx))!;
  }

  /** False when it already had that state. */
  async switch(environmentId: EnvironmentId, isOn: boolean, tx: Transaction): Promise<boolean> {
    return (await tx.execute(SWITCH, [environmentId, isOn])) > 0;
  }
}
