import type { EnvironmentEntity } from '../base.entities.js';
import { columnOf, tableOf, type Column, type EntityClass } from '../shapes/columns.js';

/** Who causes events, and by what another service knows them: no text, but names. */
export interface EventPeople {
  readonly people: EntityClass;
  readonly externalId: string;
}

export const eventPeople = <P extends EnvironmentEntity>(
  people: EntityClass<P>,
  externalId: Column<P>,
): EventPeople => ({ people, externalId });

/** What the event `e` says of that: the event itself where it does, since whoever has gone is no row any more. */
export const externalIdOf = ({ people, externalId }: EventPeople): string =>
  `coalesce(e.external_user_id, (SELECT p.${columnOf(people, externalId)} FROM ${tableOf(people)} p
           WHERE p.environment_id = $1 AND p.id = e.user_id))`;
