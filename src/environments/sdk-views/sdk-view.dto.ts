import {
  defineEnum,
  EnumField,
  IntegerField,
  ListField,
  PickOf,
  StringField,
  type EnumValue,
} from '../../common/fields/index.js';

export const SDK_VIEW_TYPES = defineEnum('SdkViewType', ['login']);
export type SdkViewType = EnumValue<typeof SDK_VIEW_TYPES>;

const SECTION_TYPES = defineEnum('SdkViewSectionType', [
  'email',
  'emailAndPhone',
  'phone',
  'separator',
  'social',
  'text',
  'wallet',
  'passkey',
]);
type SectionType = EnumValue<typeof SECTION_TYPES>;

const ALIGNMENTS = defineEnum('SdkViewSectionAlignment', ['center', 'left', 'right']);
type Alignment = EnumValue<typeof ALIGNMENTS>;

export class SdkViewSection {
  @EnumField(SECTION_TYPES)
  type!: SectionType;

  @StringField({ optional: true })
  label?: string;

  @IntegerField({ optional: true })
  numOfItemsToDisplay?: number;

  @StringField({ optional: true })
  defaultItem?: string;

  @EnumField(ALIGNMENTS, { optional: true })
  alignment?: Alignment;
}

export class SdkView {
  @EnumField(SDK_VIEW_TYPES)
  type!: SdkViewType;

  @ListField(() => SdkViewSection, { optional: true })
  sections?: SdkViewSection[];
}

export class SdkViewsResponse {
  @ListField(() => SdkView, { optional: true })
  sdkViews?: SdkView[];
}

export class SdkViewUpdateRequest extends PickOf(SdkView, ['sections']) {}
