import { readFile } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { ApiError } from '../common/errors/index.js';
import { isUuid } from '../common/ids.js';
import {
  changesOf,
  EnvironmentPromotion,
  isDigest,
  PromotionRefusedError,
  requestOf,
  type PromotionPlan,
  type PromotionRequest,
} from '../environments/index.js';
import { parseOptions, required, takeFlags, UsageError } from './arguments.js';
import { complain, inLine, say } from './terminal.js';

interface Words {
  from?: string;
  to?: string;
  apply?: string;
  except?: string;
  prune: boolean;
}

/** The plan goes to stdout, to be saved to a file; the summary for people goes to stderr. */
export async function promote(app: INestApplicationContext, words: string[]): Promise<void> {
  const { flags, rest } = takeFlags(words, ['plan', 'prune']);
  const options = parseOptions(rest, ['from', 'to', 'apply', 'except']);
  if (flags.plan === (options.apply !== undefined)) throw new UsageError('Give either --plan or --apply.');
  const promotion = app.get(EnvironmentPromotion);
  const given = { ...options, prune: flags.prune };
  try {
    if (options.apply === undefined) return print(await promotion.plan(stated(given)));
    await apply(promotion, options.apply, given);
  } catch (error) {
    if (error instanceof PromotionRefusedError) throw new UsageError(error.message);
    if (error instanceof ApiError) throw new UsageError(`${refusalOf(error)} Nothing was written.`);
    throw error;
  }
}

/** The message a member would have seen. */
function refusalOf({ message, details }: ApiError): string {
  const fields = (details.payload?.['fields'] ?? []) as { field: string; message: string }[];
  return [message, ...fields.map((problem) => `${problem.field} ${problem.message}.`)].join(' ');
}

async function apply(promotion: EnvironmentPromotion, expected: string, given: Words): Promise<void> {
  if (isDigest(expected)) return done(await promotion.apply(stated(given), { digest: expected }));
  if (given.from ?? given.to ?? given.except ?? given.prune) {
    throw new UsageError('A plan file already holds these options: give --apply alone.');
  }
  const plan = await readPlan(expected);
  const request = requestOf(plan);
  if (!request) throw new UsageError(`${expected} does not hold a plan of this version.`);
  return done(await promotion.apply(scoped(request), { plan }));
}

function stated({ from, to, except, prune }: Words): PromotionRequest {
  const paths = except === undefined ? [] : except.split(',').filter(Boolean);
  return scoped({ from: environment(from, 'from'), to: environment(to, 'to'), prune, except: paths });
}

function environment(text: string | undefined, name: string): string {
  const id = required(text, name);
  const refusal = `--${name} must be the id of an environment (seen: ${id}).`;
  if (!isUuid(id)) throw new UsageError(refusal);
  return id;
}

const scoped = ({ from, to, ...rest }: PromotionRequest<string>): PromotionRequest => ({
  from: mintEnvironmentId(from.toLowerCase()),
  to: mintEnvironmentId(to.toLowerCase()),
  ...rest,
});

async function readPlan(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`--apply takes a digest or a readable file (seen: ${path}).`);
  });
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`${path} is not JSON. Write it with: npm run cli --silent -- promote … --plan > ${path}`);
  }
}

const SIGNS = { add: '+', change: '~', remove: '-' } as const;

function print(plan: PromotionPlan): void {
  say(JSON.stringify(plan, null, 2));
  for (const { part, changes, left, refused = [] } of plan.parts) {
    for (const { action, key } of changes) complain(`${part}  ${SIGNS[action]} ${inLine(key)}`);
    for (const { key, reason } of left) complain(`${part}    ${inLine(key)}  (${inLine(reason)})`);
    for (const { key, reason } of refused) complain(`${part}  ! ${inLine(key)}  refused: ${inLine(reason)}`);
  }
  complain(`${counted(plan)}  digest ${plan.digest}`);
}

function done(plan: PromotionPlan): void {
  say(changesOf(plan) === 0 ? 'There was nothing to change.' : `${counted(plan)} made  digest ${plan.digest}`);
}

function counted(plan: PromotionPlan): string {
  const count = changesOf(plan);
  return `${count} ${count === 1 ? 'change' : 'changes'}`;
}
