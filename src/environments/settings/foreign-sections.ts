import { canonicalJson } from '../../common/canonical-json.js';
import { isRecord } from './settings-fields.js';
import type { ProjectSettings } from './settings.types.js';

/** Settings sections that are stored in other records, with how to change each. */
export const FOREIGN_SECTIONS = {
  customFields:
    'custom fields are changed with createCustomFieldForEnvironment, updateCustomFieldById and deleteCustomFieldById',
  providers: 'providers are changed with createProvider, updateProvider, enableProvider and disableProvider',
  exchanges: 'exchanges are changed with createExchange, enableExchange, disableExchange and deleteExchange',
  networks: 'networks are switched in `chains`, and added with createCustomNetwork',
  environmentName: 'the name of an environment is for good',
} as const;

type ForeignSection = keyof typeof FOREIGN_SECTIONS;

/** The foreign sections in a request. */
export const foreignSections = (sent: unknown): ForeignSection[] =>
  (Object.keys(FOREIGN_SECTIONS) as ForeignSection[]).filter((name) => isRecord(sent) && sent[name] !== undefined);

/** The foreign sections whose value in a request differs from the current one. */
export const changedSections = (
  names: readonly ForeignSection[],
  sent: unknown,
  shown: ProjectSettings,
): { field: string; message: string }[] =>
  names
    .filter((name) => comparable((sent as Record<string, unknown>)[name]) !== comparable(shown[name]))
    .map((name) => ({ field: name, message: FOREIGN_SECTIONS[name] }));

/** A section that is not shown counts as empty. */
const comparable = (section: unknown): string => canonicalJson(section ?? []);
