import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { duplicateExists, UnitOfWork, type EnvironmentId, type Transaction, type Work } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { appearanceProblems, type Appearance } from './appearance.js';
import type {
  GlobalWalletSettings,
  GlobalWalletSettingsCreateRequest,
  GlobalWalletSettingsUpdateRequest,
} from './global-wallet.dto.js';
import type { GlobalWalletRow } from './global-wallet.entity.js';
import { invalidGlobalWalletSettings } from './global-wallet.errors.js';
import {
  GLOBAL_WALLET_CREATED,
  GLOBAL_WALLET_DISABLED,
  GLOBAL_WALLET_ENABLED,
  GLOBAL_WALLET_UPDATED,
} from './global-wallet.events.js';
import { GlobalWalletsRepository } from './global-wallets.repository.js';

/** The appearance of an environment's global wallet, and whether it is enabled. */
@Injectable()
export class GlobalWalletService {
  constructor(
    private readonly wallets: GlobalWalletsRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async get(environmentId: EnvironmentId): Promise<GlobalWalletSettings> {
    const row = await this.wallets.find(environmentId, {});
    if (!row) throw notFound();
    return shown(row);
  }

  /** The settings for clients. To them, a disabled wallet does not exist. */
  async getEnabled(environmentId: EnvironmentId): Promise<GlobalWalletSettings> {
    const row = await this.wallets.find(environmentId, {});
    if (!row?.enabledAt) throw notFound();
    return shown(row);
  }

  /** @throws invalidGlobalWalletSettings, duplicateExists */
  async create(
    environmentId: EnvironmentId,
    request: GlobalWalletSettingsCreateRequest,
    actor: Actor,
    work: Work,
  ): Promise<GlobalWalletSettings> {
    return work.run((tx) => this.insert(environmentId, request, actor, tx));
  }

  /** Changes the fields in the request. @throws invalidGlobalWalletSettings, notFound */
  async update(
    environmentId: EnvironmentId,
    request: GlobalWalletSettingsUpdateRequest,
    actor: Actor,
  ): Promise<GlobalWalletSettings> {
    return this.work.run(async (tx) => {
      const row = await this.wallets.hold(environmentId, tx);
      if (!row) throw notFound();
      return this.replace(environmentId, row, { ...row.appearance, ...request }, actor, tx);
    });
  }

  async setEnabled(environmentId: EnvironmentId, isEnabled: boolean, actor: Actor): Promise<GlobalWalletSettings> {
    return this.work.run(async (tx) => {
      const row = await this.wallets.hold(environmentId, tx);
      if (!row) throw notFound();
      if (!(await this.wallets.switch(environmentId, isEnabled, tx))) return shown(row);
      const after = shown((await this.wallets.find(environmentId, {}, tx))!);
      const event = isEnabled ? GLOBAL_WALLET_ENABLED : GLOBAL_WALLET_DISABLED;
      const change = { event, resource: resourceOf(row.id), before: shown(row), after };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      return after;
    });
  }

  /** Created disabled, in the caller's transaction. @throws invalidGlobalWalletSettings, duplicateExists */
  async insert(
    environmentId: EnvironmentId,
    appearance: Appearance,
    actor: Actor,
    tx: Transaction,
  ): Promise<GlobalWalletSettings> {
    assertHarmless(appearance);
    const row = await this.wallets.insertIfAbsent(environmentId, { id: newId(), appearance: { ...appearance } }, tx);
    if (!row) throw duplicateExists();
    const after = shown(row);
    const change = { event: GLOBAL_WALLET_CREATED, resource: resourceOf(row.id), before: null, after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return after;
  }

  /** In the caller's transaction, which must hold the row. @throws invalidGlobalWalletSettings */
  async replace(
    environmentId: EnvironmentId,
    row: GlobalWalletRow,
    appearance: Appearance,
    actor: Actor,
    tx: Transaction,
  ): Promise<GlobalWalletSettings> {
    assertHarmless(appearance);
    const [updated] = await this.wallets.update(environmentId, { id: row.id }, { appearance }, tx);
    const after = shown(updated!);
    const change = { event: GLOBAL_WALLET_UPDATED, resource: resourceOf(row.id), before: shown(row), after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return after;
  }
}

const shown = ({ id, appearance, enabledAt }: GlobalWalletRow): GlobalWalletSettings => ({
  ...appearance,
  id,
  enabledAt,
});

const resourceOf = (id: string) => ({ type: 'globalWallet', id });

function assertHarmless(appearance: Appearance): void {
  const problems = appearanceProblems(appearance);
  if (problems.length > 0) throw invalidGlobalWalletSettings({ payload: { additionalMessages: problems } });
}
