import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { notFound } from '../../common/errors/index.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import { newId } from '../../common/ids.js';
import { Outbox, UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { AdmittedSites } from './admitted-sites.js';
import { DEFAULT_PAGE, type GlobalWalletConnection, type ListConnectionsQuery } from './connection.dto.js';
import type { ConnectionRow } from './connection.entity.js';
import {
  globalWalletNotEnabled,
  globalWalletSiteRefused,
  tooManyGlobalWalletConnections,
} from './connection.errors.js';
import { CONNECTION_CREATED, CONNECTION_ENDED, connectionEvent } from './connection.events.js';
import { ConnectionsRepository } from './connections.repository.js';
import { GlobalWalletsRepository } from './global-wallets.repository.js';

/** Connections of users' global wallets to sites. The site is taken from the browser, never from a request body. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly wallets: GlobalWalletsRepository,
    private readonly sites: AdmittedSites,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** While the team disables the wallet or refuses the site, its connections count as disconnected. */
  async list(
    environmentId: EnvironmentId,
    { userId, status, offset = 0, limit = DEFAULT_PAGE }: ListConnectionsQuery,
  ): Promise<GlobalWalletConnection[]> {
    const isWalletOn = Boolean((await this.wallets.find(environmentId, {}))?.enabledAt);
    const terms = { isWalletOn, sites: await this.sites.terms(environmentId) };
    const rows = await this.connections.page(environmentId, { userId, status, offset, limit }, terms);
    return rows.map(({ isConnected, ...row }) => shownAs(row, isConnected));
  }

  /**
   * Connecting again renews the existing connection.
   *
   * @throws globalWalletSiteRefused, globalWalletNotEnabled, tooManyGlobalWalletConnections
   */
  async connect(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    { origin }: ClientOrigin,
    expiresAt: Date,
  ): Promise<GlobalWalletConnection> {
    if (expiresAt <= this.clock.now()) {
      throw invalidFields([{ field: 'expiresAt', message: 'expiresAt must be in the future' }]);
    }
    if (origin === null || !(await this.sites.isSite(environmentId, origin))) throw globalWalletSiteRefused();
    return this.work.run(async (tx) => {
      await this.assertAdmitted(environmentId, origin, tx);
      const connection = { id: newId(), userId, appUrl: origin, expiresAt };
      const row = await this.connections.connect(environmentId, connection, tx);
      if (!row) throw tooManyGlobalWalletConnections();
      return this.publish(environmentId, CONNECTION_CREATED, row, tx);
    });
  }

  /** An ended connection stays ended. @throws notFound */
  async disconnect(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    id: string,
  ): Promise<GlobalWalletConnection> {
    return this.work.run(async (tx) => {
      const ended = await this.connections.disconnect(environmentId, userId, id, tx);
      if (ended) return this.publish(environmentId, CONNECTION_ENDED, ended, tx);
      const row = await this.connections.find(environmentId, { id, userId }, tx);
      if (!row) throw notFound();
      return this.shown(row);
    });
  }

  private async assertAdmitted(environmentId: EnvironmentId, origin: string, tx: Transaction): Promise<void> {
    const wallet = await this.wallets.find(environmentId, {}, tx);
    if (!wallet?.enabledAt) throw globalWalletNotEnabled();
    if (!(await this.sites.admits(environmentId, origin, tx))) throw globalWalletSiteRefused();
  }

  private async publish(
    environmentId: EnvironmentId,
    event: typeof CONNECTION_CREATED,
    row: ConnectionRow,
    tx: Transaction,
  ): Promise<GlobalWalletConnection> {
    const connection = this.shown(row);
    await this.outbox.append(environmentId, [connectionEvent(event, connection)], tx);
    return connection;
  }

  private shown(row: ConnectionRow): GlobalWalletConnection {
    return shownAs(row, row.disconnectedAt === null && row.expiresAt > this.clock.now());
  }
}

function shownAs(
  { id, userId, appUrl, expiresAt, createdAt, updatedAt }: ConnectionRow,
  isConnected: boolean,
): GlobalWalletConnection {
  const status = isConnected ? 'connected' : 'disconnected';
  return { id, userId, appUrl, status, expiresAt, createdAt, updatedAt };
}
