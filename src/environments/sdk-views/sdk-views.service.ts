import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { UnitOfWork } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { EnvironmentSettingsReader } from '../environment-settings-reader.js';
import { EnvironmentSettingsService } from '../environment-settings.service.js';
import type { ProjectSettings } from '../settings/settings.types.js';
import { SDK_VIEW_TYPES, type SdkView, type SdkViewType, type SdkViewUpdateRequest } from './sdk-view.dto.js';

/** The sign-in views of an environment: the `sdk.views` part of its settings, one view at a time. */
@Injectable()
export class SdkViewsService {
  constructor(
    private readonly reader: EnvironmentSettingsReader,
    private readonly settings: EnvironmentSettingsService,
    private readonly work: UnitOfWork,
  ) {}

  async list(environmentId: EnvironmentId): Promise<{ sdkViews: SdkView[] }> {
    return { sdkViews: viewsOf(await this.reader.read(environmentId)) };
  }

  async get(environmentId: EnvironmentId, type: string): Promise<SdkView> {
    return viewOf(await this.reader.read(environmentId), known(type));
  }

  /** A no-op without sections. */
  async update(
    environmentId: EnvironmentId,
    type: string,
    { sections }: SdkViewUpdateRequest,
    actor: Actor,
  ): Promise<SdkView> {
    // A view that has not been configured would otherwise be stored, without sections.
    if (!sections) return this.get(environmentId, type);
    const change = {
      part: (stored: ProjectSettings) => withView(stored, { ...viewOf(stored, known(type)), sections }),
      readVersion: null,
      secrets: [],
      actor,
    };
    const { settings } = await this.work.run((tx) => this.settings.apply(environmentId, change, tx));
    return viewOf(settings, known(type));
  }
}

/** @throws notFound */
function known(type: string): SdkViewType {
  const found = SDK_VIEW_TYPES.values.find((value) => value === type);
  if (!found) throw notFound();
  return found;
}

const viewsOf = ({ sdk }: ProjectSettings): SdkView[] => (sdk['views'] as SdkView[] | undefined) ?? [];

/** A view that has not been configured is empty. */
const viewOf = (settings: ProjectSettings, type: SdkViewType): SdkView =>
  viewsOf(settings).find((view) => view.type === type) ?? { type, sections: [] };

const withView = (settings: ProjectSettings, view: SdkView): object => ({
  sdk: { views: [...viewsOf(settings).filter(({ type }) => type !== view.type), view] },
});
