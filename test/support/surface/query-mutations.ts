import type { Parameter } from '../contract/openapi-document.js';
import type { Mutation } from './body-mutations.js';
import { candidatesFor, type Candidate } from './candidates.js';
import { atOnce, TRIED_SINGLY, SENSITIVE_NAMES } from './sensitive-names.js';
import type { Schemas, Shape } from './schemas.js';

/** Maximum length of a query string; the head of a request is limited to 16 KB. */
const MOST = 12_000;

const pair = (name: string, value: string): string => `${name}=${encodeURIComponent(value)}`;

const NO_INTEGERS = [
  '1.5',
  'abc',
  '',
  '1e1',
  '0x10',
  ' 1',
  '+1',
  '1 ',
  'NaN',
  'Infinity',
  'null',
  '-',
  '--1',
  '1,2',
  '١',
];
const HUGE_INTEGERS = ['9007199254740993', '99999999999999999999999', '-0', '007'];
const NO_BOOLEANS = ['TRUE', 'True', '1', '0', 'yes', 'on', '', 'null', 'truefalse'];

/** The ways to write a value in a query string. */
function writings(shape: Shape): Candidate[] {
  const { types } = shape;
  const refused = (values: readonly string[]): Candidate[] =>
    values.map((value) => ({ name: JSON.stringify(value), value, expectation: 'refused' }));
  if (types.includes('integer')) {
    const limits = candidatesFor(shape, null).filter(
      ({ value, expectation }) => Number.isInteger(value) && !expectation,
    );
    const huge = HUGE_INTEGERS.map((value): Candidate => ({ name: value, value, expectation: 'any' }));
    return [...limits, ...huge, ...refused(NO_INTEGERS)];
  }
  if (types.includes('boolean'))
    return [...candidatesFor(shape, null).filter(({ value }) => typeof value === 'boolean'), ...refused(NO_BOOLEANS)];
  // Even a free text may not accept every value.
  const isFree = !shape.enum && !shape.pattern && shape.maxLength === undefined;
  return candidatesFor(shape, null)
    .filter(({ value }) => typeof value === 'string' && value.isWellFormed())
    .map((candidate) => (isFree ? { ...candidate, expectation: candidate.expectation ?? 'any' } : candidate));
}

/** Query strings that differ from a valid one in one parameter, with what the document says about each. */
export function queryMutations(schemas: Schemas, parameters: readonly Parameter[], base: string): Mutation[] {
  if (parameters.length === 0) return [];
  const mutations: Mutation[] = [];
  const add = (name: string, text: string, expected: Mutation['expected']): void => {
    // Longer ones never reach the service: the server rejects such a request while reading its head.
    if (text.length < MOST) mutations.push({ name: `?${name}`, text, expected });
  };
  const besides = (name: string): string[] => base.split('&').filter((part) => part && !part.startsWith(`${name}=`));
  const replace = (name: string, value: string): string => [...besides(name), pair(name, value)].join('&');

  for (const { name, schema = {} } of parameters) {
    const shape = schemas.shapeOf(schema);
    const isGroup = shape.types.includes('object');
    const parts = isGroup ? Object.entries(shape.properties ?? {}) : [[null, schema] as const];
    for (const [key, part] of parts) {
      const wire = key === null ? name : `${name}[${key}]`;
      const inner = schemas.shapeOf(part);
      const validate = schemas.compile(part);
      for (const { name: label, value, expectation } of writings(inner)) {
        add(`${wire} ${label}`, replace(wire, String(value)), expectation ?? (validate(value) ? 'valid' : 'refused'));
      }
      const isList = inner.types.includes('array');
      add(`${wire} twice`, `${replace(wire, '1')}&${pair(wire, '2')}`, isList ? 'any' : 'refused');
      add(`${wire} as a list`, [...besides(wire), pair(`${wire}[]`, '1')].join('&'), 'refused');
      add(`${wire}[b][c]`, [...besides(wire), pair(`${wire}[b][c]`, '1')].join('&'), 'refused');
    }
    if (!isGroup) continue;
    const others = base.split('&').filter((part) => !part.startsWith(`${name}[`));
    add(`${name} as a text`, [...others, pair(name, 'x')].join('&'), 'refused');
    for (const unknown of SENSITIVE_NAMES.filter(Boolean)) {
      add(`${name}[${unknown}]`, [base, pair(`${name}[${unknown}]`, 'x')].join('&'), 'refused');
    }
    for (const required of shape.required ?? []) {
      const text = base.split('&').filter((part) => !part.startsWith(`${name}[${required}]`));
      add(`without ${name}[${required}]`, text.join('&'), 'refused');
    }
  }
  for (const unknown of TRIED_SINGLY) add(`${unknown}=x`, [base, pair(unknown, 'x')].join('&'), 'refused');
  const declared = new Set(parameters.map(({ name }) => name));
  for (const unknown of atOnce(SENSITIVE_NAMES.filter((name) => !TRIED_SINGLY.has(name) && !declared.has(name)))) {
    const text = [base, ...unknown.map((name) => pair(name, 'x'))].join('&');
    mutations.push({ name: `?${unknown.join('=x&')}=x`, text, expected: 'refused', unknown });
  }
  add('a[b][c]', [base, 'a[b][c]=1'].join('&'), 'refused');
  add('51 parameters', Array.from({ length: 51 }, (_, at) => `p${at}=1`).join('&'), 'refused');
  add('a NUL', [base, 'x=%00'].join('&'), 'refused');
  add('a broken escape', [base, 'x=%zz'].join('&'), 'refused');
  add('bytes that are no text', [base, 'x=%ff%fe'].join('&'), 'refused');
  return mutations;
}
