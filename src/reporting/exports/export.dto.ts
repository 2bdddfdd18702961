import {
  DateField,
  defineEnum,
  EnumField,
  IntegerField,
  ListField,
  PickOf,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';

export const EXPORT_FORMATS = defineEnum('ExportFormatEnum', ['csv']);
export const EXPORT_MODELS = defineEnum('ExportModelEnum', ['users', 'visits']);
export const EXPORT_STATUSES = defineEnum('ExportStatusEnum', ['completed', 'failed', 'pending']);
export type ExportModel = EnumValue<typeof EXPORT_MODELS>;
export type ExportStatus = EnumValue<typeof EXPORT_STATUSES>;

/** A requested file, as the API shows it. */
export class Export {
  @UuidField()
  id!: string;

  @EnumField(EXPORT_FORMATS)
  format!: EnumValue<typeof EXPORT_FORMATS>;

  @EnumField(EXPORT_MODELS)
  model!: ExportModel;

  @EnumField(EXPORT_STATUSES)
  status!: ExportStatus;

  @DateField()
  createdAt!: Date;

  @DateField({ optional: true, nullable: true })
  startedAt?: Date | null;

  @DateField({ optional: true, nullable: true })
  completedAt?: Date | null;

  @StringField({
    optional: true,
    format: 'uri',
    description: 'The operation that redirects to the file; present once the export is completed.',
  })
  downloadUrl?: string;

  @StringField({ optional: true, description: 'Why it failed.' })
  error?: string;

  @IntegerField({ optional: true, description: 'Records in the file so far.' })
  rows?: number;
}

/** A requested file as events show it. */
export class AskedExport extends PickOf(Export, ['id', 'format', 'model', 'createdAt']) {}

export class ExportCreateRequest extends PickOf(Export, ['format', 'model']) {}

export class ExportsResponse {
  @ListField(() => Export, { optional: true, description: 'Newest first.' })
  exports?: Export[];
}

export class GetExportsQuery {
  @EnumField(EXPORT_MODELS, { optional: true })
  model?: ExportModel;
}
