import { canonicalJson } from '../../common/canonical-json.js';
import { isRecord } from './settings-fields.js';
import type { ProjectSettings } from './settings.types.js';

/** Sections that the settings show and other records hold, with who changes them. */
export const FOREIGN_SECTIONS = {
  customFields:
    'custom fields are changed with createCustomFieldForEnvironment, updateCustomFieldById and deleteCustomFieldById',
  providers: 'providers are changed with createProvider, updateProvider, enableProvider and disableProvider',
  exchanges: 'exchanges are changed with createExchange, enableExchange, disableExchange and deleteExchange',
  networks: 'networks are switched in `chains`, and added with createCustomNetwork',
  environmentName: 'the name of an environment is for good',
} as const;

type ForeignSection = keyof typeof FOREIGN_SECTIONS;

/** Which of them somebody has sent. */
export const foreignSections = (sent: unknown): ForeignSection[] =>
  (Object.keys(FOREIGN_SECTIONS) as ForeignSection[]).filter((name) => isRecord(sent) && sent[name] !== undefined);

/** Those that would become something else than they are, if this changed them. */
export const changedSections = (
  names: readonly ForeignSection[],
  sent: unknown,
  shown: ProjectSettings,
): { field: string; message: string }[] =>
  names
    .filter((name) => comparable((sent as Record<string, unknown>)[name]) !== comparable(shown[name]))
    .map((name) => ({ field: name, message: FOREIGN_SECTIONS[name] }));

/** A section that is not shown is empty. */
const comparable = (section: unknown): string => canonicalJson(section ?? []);
