export { EnvironmentEntity, OrganizationEntity } from './base.entities.js';
export { Database } from './database.js';
export type { DeferredWork } from './deferred-work.js';
export { DatabaseModule } from './database.module.js';
export {
  areValuesRefused,
  CommitInDoubt,
  duplicateExists,
  lockTimeout,
  referenceNotFound,
  translateDatabaseError,
  violatedConstraint,
  wasOvertaken,
  wasUnmet,
} from './database-errors.js';
export type { Executor } from './executor.js';
export {
  defineEvent,
  EVENT_VERSION,
  eventRegistry,
  ORGANIZATION_EVENT_NOTE,
  type EventDefinition,
} from './outbox/define-event.js';
export type { EventActor } from './outbox/event-actor.js';
export { eventListeners, orderingSubject } from './outbox/event-listeners.js';
export { eventPeople } from './outbox/event-people.js';
export { LEFT_BATCH, LeftEventsRepository } from './outbox/left-events.repository.js';
export { Outbox, type EventDraft } from './outbox/outbox.js';
export { OutboxEvent } from './outbox/outbox-event.entity.js';
export { MergedRows, type TakenRows } from './merging/merged-rows.js';
export { MERGE_FATES, MergedTables, merges, MergingPart, type MergedTable } from './merging/merged-tables.js';
export {
  isShared,
  MovedRows,
  type MovedColumns,
  type MovedLimit,
  type MovedRow,
  type Reach,
} from './moving/moved-rows.js';
export { ForeignSeals, masterKeysIn, SEALED_TABLES, type ForeignRows } from './foreign-seals.js';
export { instantText, storedInstantText } from './instant-text.js';
export { EnvironmentRows, type EnvironmentTable } from './purge/environment-rows.js';
export { PersonRows, type PersonTable } from './purge/person-rows.js';
export { oldRows, OldRowsRepository, type OldRows } from './purge/old-rows.js';
export { MEET_EVERY_TENANT } from './row-security/named-tenant.js';
export { TENANT_TABLES, type TenantTable } from './row-security/policies.js';
export { RowSecurityError } from './row-security/row-security.errors.js';
export { OrganizationRepository, ScopedRepository, type Insert, type Where } from './scoped.repository.js';
export type { EnvironmentId, OrganizationId } from './scope.js';
export { SealedColumns, type Resealed, type SealedRow } from './sealed-columns.js';
export { prepareSession } from './session.js';
export { refuseSharedSessions, SharedSessionsError } from './shared-sessions.js';
export { SharedQuestions } from './shared-questions.js';
export { EncodingError, holdsEveryText } from './text-encoding.js';
export { refersTo } from './shapes/columns.js';
export { jsonOf, listJsonOf } from './shapes/compose.js';
export { constant, PRESENT, rowsOf, type Fields, type Formed, type Rows, type SubjectRows } from './shapes/rows.js';
export { statementFamily } from './statement-family.js';
export {
  asSystem,
  deploymentStatement,
  dueRowsStatement,
  scopedRowsStatement,
  scopedStatement,
  tenantStatement,
  type Statement,
} from './statement.js';
export { lockTenant, lockTenantFor } from './tenant-lock.js';
export { isTransaction, type Transaction } from './transaction.js';
export { UnitOfWork } from './unit-of-work.js';
export type { Work } from './work.js';
export { whileAlone } from './while-alone.js';
export { NEW_ROW_ID } from './new-row-id.js';
export { MIGRATIONS } from './migrations.js';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/embedded-postgres.js';
export { EmbeddedPostgresError } from './embedded/embedded-postgres.errors.js';
export { findFreePort } from './embedded/free-port.js';
export { runMigrationCommand } from './migration-commands.js';
