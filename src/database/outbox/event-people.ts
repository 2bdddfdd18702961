import type { EnvironmentEntity } from '../base.entities.js';
import { columnOf, tableOf, type Column, type EntityClass } from '../shapes/columns.js';

/** Who causes events, and their external ids: names only, no SQL text. */
export interface EventPeople {
  readonly people: EntityClass;
  readonly externalId: string;
}

export const eventPeople = <P extends EnvironmentEntity>(
  people: EntityClass<P>,
  externalId: Column<P>,
): EventPeople => ({ people, externalId });

/** The external id in event `e`: from the event itself if it has one, since a deleted user has no row any more. */
export const externalIdOf = ({ people, externalId }: EventPeople): string =>
  `coalesce(e.external_user_id, (SELECT p.${columnOf(people, externalId)} FROM ${tableOf(people)} p
           WHERE p.environment_id = $1 AND p.id = e.user_id))`;
