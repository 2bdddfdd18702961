import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Rules = ReturnType<Storage['getTargetValidationMetadatas']>;
type RulesByField = ReturnType<Storage['groupByPropertyName']>;

const remembering = new WeakSet<Storage>();

/**
 * class-validator goes through the rules of every class for each object it checks. Rules are declared when their class
 * is, so what it finds for a class is found once.
 */
export function rememberValidationRules(storage: Storage = getMetadataStorage()): void {
  if (remembering.has(storage)) return;
  remembering.add(storage);
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const group = storage.groupByPropertyName.bind(storage);
  const found = new WeakMap<object, Map<string, Rules>>();
  const grouped = new WeakMap<Rules, RulesByField>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    let ofTarget = found.get(target);
    if (!ofTarget) found.set(target, (ofTarget = new Map<string, Rules>()));
    const question = `${schema}\n${always}\n${strictGroups}\n${groups?.join('\n')}`;
    let rules = ofTarget.get(question);
    if (!rules) ofTarget.set(question, (rules = find(target, schema, always, strictGroups, groups)));
    return rules;
  };
  storage.groupByPropertyName = (rules) => {
    let byField = grouped.get(rules);
    if (!byField) grouped.set(rules, (byField = group(rules)));
    return byField;
  };
}
