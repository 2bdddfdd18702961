import { Injectable } from '@nestjs/common';
import { asksForFactor, type OrganizationId } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { UnitOfWork } from '../../database/index.js';
import type { Actor } from '../audit/actor.js';
import { ChangeLog } from '../change-log.js';
import { HeldRoles } from '../members/held-roles.js';
import {
  MFA_DEVICE_TYPES,
  type MfaDeviceType,
  type OrganizationMfaSettings,
  type OrganizationMfaSettingsResponse,
} from './mfa-settings.dto.js';
import { MFA_SETTINGS_UPDATED } from './mfa-settings.events.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { MfaSettingsRepository } from './mfa-settings.repository.js';

/** Which second factors members of an organization may use. The access guard requires them of console sessions. */
@Injectable()
export class MfaSettingsService {
  constructor(
    private readonly settings: MfaSettingsRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly roles: HeldRoles,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  async list(organizationId: OrganizationId): Promise<OrganizationMfaSettingsResponse> {
    const rows = await this.settings.listAll(organizationId);
    const since = new Map(rows.map(({ mfaDeviceType, enabledAt }) => [mfaDeviceType, enabledAt]));
    const mfaSettings = MFA_DEVICE_TYPES.values.map((type) => ({
      mfaDeviceType: type,
      enabledAt: since.get(type) ?? null,
    }));
    return { mfaSettings };
  }

  async listAdmitted(organizationId: OrganizationId): Promise<MfaDeviceType[]> {
    const rows = await this.settings.listAll(organizationId);
    return rows.filter(({ enabledAt }) => enabledAt !== null).map(({ mfaDeviceType }) => mfaDeviceType);
  }

  /** The accepted factors of each of a member's organizations that requires one. */
  async listAsked(userId: string): Promise<MfaDeviceType[][]> {
    const own = (await this.organizations.listOfUser(userId)).map(({ id }) => id);
    if (own.length === 0) return [];
    const admitted = await this.settings.listAdmitted(own);
    const kinds = own.map((id) => admitted.filter(({ organizationId }) => organizationId === id));
    return kinds.map((rows) => rows.map(({ mfaDeviceType }) => mfaDeviceType)).filter(asksForFactor);
  }

  /** Setting the current value is a no-op and publishes nothing. @throws roleWithdrawn */
  async admit(
    organizationId: OrganizationId,
    mfaDeviceType: MfaDeviceType,
    admitted: boolean,
    actor: Actor,
  ): Promise<OrganizationMfaSettings> {
    return this.work.run(async (tx) => {
      await this.roles.hold(organizationId, actor, 'owner', tx);
      const row = await this.settings.take(organizationId, mfaDeviceType, tx);
      const before = { mfaDeviceType, enabledAt: row.enabledAt };
      if ((row.enabledAt !== null) === admitted) return before;
      const after = { mfaDeviceType, enabledAt: admitted ? this.clock.now() : null };
      await this.settings.update(organizationId, { mfaDeviceType }, { enabledAt: after.enabledAt }, tx);
      const change = { event: MFA_SETTINGS_UPDATED, resource: { type: 'mfaSettings', id: row.id }, before, after };
      await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
      return after;
    });
  }
}
