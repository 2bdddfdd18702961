import { DateField, defineEnum, EnumField, StringField, UuidField, type EnumValue } from '../../common/fields/index.js';
import { QueryInteger } from '../../common/fields/query-fields.js';
import { ORIGIN } from './access-control.dto.js';

export const CONNECTION_STATUSES = defineEnum('GlobalWalletConnectionStatusEnum', ['connected', 'disconnected']);
export type ConnectionStatus = EnumValue<typeof CONNECTION_STATUSES>;

/** A site that a user has connected the global wallet to. */
export class GlobalWalletConnection {
  @UuidField()
  id!: string;

  @UuidField()
  userId!: string;

  @StringField({ pattern: ORIGIN, description: 'The origin of the site.', example: 'https://shop.example.com' })
  appUrl!: string;

  @EnumField(CONNECTION_STATUSES, {
    description:
      'disconnected: ended by the user, expired, or of a wallet that is not enabled or a site that is not admitted now.',
  })
  status!: ConnectionStatus;

  @DateField({ optional: true, nullable: true })
  expiresAt?: Date | null;

  @DateField()
  createdAt!: Date;

  @DateField({ optional: true })
  updatedAt?: Date;
}

export class GlobalWalletConnectionCreateRequest {
  @DateField({ description: 'In the future.', example: '2100-01-01T00:00:00.000Z' })
  expiresAt!: Date;
}

export const DEFAULT_PAGE = 20;

export class ListConnectionsQuery {
  @UuidField({ optional: true })
  userId?: string;

  @EnumField(CONNECTION_STATUSES, { optional: true })
  status?: ConnectionStatus;

  @QueryInteger({ optional: true, min: 0, default: 0 })
  offset?: number;

  @QueryInteger({ optional: true, min: 1, max: 100, default: DEFAULT_PAGE })
  limit?: number;
}
