import {
  AnyField,
  EnumField,
  IntegerField,
  ListField,
  RefField,
  StringField,
  UuidField,
  defineEnum,
} from '../../common/fields/index.js';
import { QueryInteger } from '../../common/fields/query-fields.js';

export const MAX_PAGE = 100;
export const DEFAULT_PAGE = 50;

export const ACTOR_KINDS = defineEnum('AuditActorKind', ['member', 'apiToken', 'endUser', 'service']);

export class AuditActor {
  @EnumField(ACTOR_KINDS, { description: '`service`: a job of the service, or a command run by its operator.' })
  kind!: 'member' | 'apiToken' | 'endUser' | 'service';

  @StringField({ optional: true, description: 'Id of the user or API token. Absent for the service.' })
  id?: string;

  @StringField({ optional: true, description: 'The personal token that the member acted with.' })
  tokenId?: string;

  @StringField({
    optional: true,
    description: "The member's current name; the record itself stores only the id.",
  })
  name?: string;

  @StringField({ optional: true, description: "The member's current email." })
  email?: string;
}

export class AuditResource {
  @StringField({ example: 'webhook' })
  type!: string;

  @StringField()
  id!: string;
}

export class AuditFieldChange {
  @StringField({ description: 'Path in dot notation; a list is a single field.', example: 'security.jwtDuration' })
  field!: string;

  @AnyField({ optional: true, description: 'Absent when there was no value; `[redacted]` for a secret.' })
  before?: unknown;

  @AnyField({ optional: true, description: 'Absent when there is no value; `[redacted]` for a secret.' })
  after?: unknown;
}

/** One change to an organization, its projects or environments, as the trail stores it. */
export class AuditRecord {
  @IntegerField({ min: 1, description: 'From 1, without gaps.' })
  sequence!: number;

  @UuidField()
  id!: string;

  @StringField({ format: 'date-time', description: 'UTC, with microseconds.', example: '2026-01-31T12:00:00.123456Z' })
  occurredAt!: string;

  @RefField(() => AuditActor)
  actor!: AuditActor;

  @StringField({ description: 'The name of the event.', example: 'webhook.updated' })
  action!: string;

  @RefField(() => AuditResource)
  resource!: AuditResource;

  @UuidField({ optional: true, description: 'Absent for changes of the organization itself.' })
  environmentId?: string;

  @ListField(() => AuditFieldChange, { description: 'The fields that changed.' })
  changes!: AuditFieldChange[];

  @StringField({ description: 'Hash of the previous record, in hexadecimal; zeros in the first record.' })
  previousHash!: string;

  @StringField({ description: 'SHA-256 over all of the above, in hexadecimal.' })
  hash!: string;
}

export class AuditRecordsResponse {
  @StringField({
    optional: true,
    description: 'Pass it to the same operation for the next page; absent on the last page.',
  })
  cursor?: string;

  @ListField(() => AuditRecord, { description: 'Newest first.' })
  data!: AuditRecord[];
}

export class GetAuditRecordsQuery {
  @StringField({ optional: true, description: 'The `cursor` of the previous page.' })
  cursor?: string;

  @QueryInteger({ optional: true, min: 1, max: MAX_PAGE, default: DEFAULT_PAGE })
  limit?: number;

  @UuidField({ optional: true, description: 'Only changes in this environment.' })
  environmentId?: string;

  // No example: the API explorer would prefill it as a filter and hide all other changes.
  @StringField({ optional: true, max: 100, description: 'Only changes with this name, such as webhook.updated.' })
  action?: string;
}
