import type { CustomFieldRow } from './custom-field.entity.js';
import { invalidMetadataValue } from './custom-field.errors.js';
import { PatternBudget } from './pattern-budget.js';

/** Maximum length of a text value, in code points. */
const MAX_CODE_POINTS = 1_024;

type Field = Pick<CustomFieldRow, 'key' | 'enabled' | 'fieldType' | 'validationRules'>;

/** Asserts that the metadata has an allowed value, or none, for each enabled field. @throws invalidMetadataValue */
export async function assertFieldValues(
  fields: readonly Field[],
  metadata: Readonly<Record<string, unknown>>,
): Promise<void> {
  const additionalMessages: string[] = [];
  const budget = new PatternBudget();
  for (const field of fields) {
    const value = Object.hasOwn(metadata, field.key) ? metadata[field.key] : null;
    const wrong = field.enabled && value !== null && value !== '' ? await faultOf(field, value, budget) : null;
    if (wrong !== null) additionalMessages.push(`${field.key} ${wrong}`);
  }
  if (additionalMessages.length > 0) throw invalidMetadataValue({ payload: { additionalMessages } });
}

async function faultOf(
  { fieldType, validationRules: rules }: Field,
  value: unknown,
  budget: PatternBudget,
): Promise<string | null> {
  switch (fieldType) {
    case 'checkbox':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'select': {
      const options = rules?.validOptions ?? [];
      return options.some(({ label, key }) => value === key || value === label) ? null : 'must be one of its options';
    }
    case 'text':
      return textFault(value, rules?.regex, budget);
  }
}

async function textFault(value: unknown, regex: string | undefined, budget: PatternBudget): Promise<string | null> {
  if (typeof value !== 'string') return 'must be a text';
  // A string has at most as many code points as code units, so counting is rarely needed.
  if (value.length > MAX_CODE_POINTS && [...value].length > MAX_CODE_POINTS) {
    return `must have at most ${MAX_CODE_POINTS} characters`;
  }
  if (!regex || (await budget.matches(regex, value))) return null;
  return 'does not have the form that the field asks for';
}
