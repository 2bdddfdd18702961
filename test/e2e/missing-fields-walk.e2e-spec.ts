import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Onboarding } from '../support/onboarding/onboarding.js';
import { ROWS, type Row } from '../support/onboarding/rows.js';
import { OnboardingAnswers, WITHOUT_PROFILE } from '../support/onboarding/verdict.js';
import { resign } from '../support/surface/callers.js';
import { apiDocument, operations } from '../support/surface/operations.js';
import { validCall } from '../support/surface/valid-call.js';
import { startTenantApp, type TenantApp } from '../support/suites/tenant-app.js';
import { newEmail } from '../support/world.js';

const answers = new OnboardingAnswers(apiDocument);
const shown = answers.operations();
const walked = operations.filter(({ id }) => shown.has(id));

/** Tells the scope of the token that asks, so that one is taken which is as old as the row. */
const ASKED_AFTERWARDS = 'getAuthenticatedUser';

let own: TenantApp;
let onboarding: Onboarding;

beforeAll(async () => {
  own = await startTenantApp();
  onboarding = await Onboarding.open(own.tenant);
});
afterAll(() => own?.close());

/** Calls operations of which a row becomes true after all has been prepared, and before the call itself. */
async function problemsOf(row: Row, called = walked, meddle: () => Promise<unknown> = async () => null) {
  const problems: string[] = [];
  for (const operation of called) {
    const call = await validCall(own.tenant, operation);
    await onboarding.begin(row);
    await meddle();
    const newer = operation.id === ASKED_AFTERWARDS ? { token: (await own.tenant.world.signIn(newEmail())).jwt } : {};
    const { status, body } = await own.client.send({ ...call, ...newer });
    await onboarding.calm();
    const schema = shown.get(operation.id)?.get(status);
    if (schema) problems.push(...answers.problemsIn(operation.id, row, schema, body));
    else problems.push(`${operation.id}: ${status} ${JSON.stringify(body)}`);
  }
  return problems;
}

describe('every operation that shows what somebody has yet to supply', () => {
  it.each(ROWS.map((row) => [row.name, row] as const))('says the same when %s', async (_, row) => {
    expect(await problemsOf(row)).toEqual([]);
  });

  it('is found in the document: each sign-in, each added credential, each read', () => {
    const ids = walked.map(({ id }) => id);
    expect(ids).toHaveLength(shown.size);
    expect(ids.length).toBeGreaterThan(50);
    expect(ids).toEqual(expect.arrayContaining([ASKED_AFTERWARDS, ...Object.keys(WITHOUT_PROFILE)]));
    expect(ids).toEqual(
      expect.arrayContaining(['verify', 'oauthSignIn', 'refreshAuth', 'mergeUsers', 'getUser', 'authenticateWaas']),
    );
    const planted = structuredClone(apiDocument);
    planted.paths['/sdk/{environmentId}/nonce']!.get!.responses!['200'] = {
      content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/User' } } } },
    };
    const more = [...new OnboardingAnswers(planted).operations().keys()].filter((id) => !shown.has(id));
    expect(more).toEqual(['getNonce']);
  });
});

describe('the walk sees', () => {
  const rowOf = (name: RegExp): Row => ROWS.find((row) => name.test(row.name))!;
  const nothing = rowOf(/^nothing is asked/);
  const asksAll = rowOf(/^nothing is answered.+asked for too/);
  const complete = rowOf(/^what is required.+skipped/);
  const some = walked.filter(({ id }) => ['refreshAuth', 'getUser'].includes(id));

  it('a field that is not reported, and a scope that does not match', async () => {
    const forget = () =>
      own.tenant.db.query('UPDATE asked_fields SET fields = NULL WHERE environment_id = $1', [
        own.tenant.world.environmentId,
      ]);
    const problems = await problemsOf(asksAll, some, forget);
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'getUser, user',
      'refreshAuth, user',
      'refreshAuth, token',
      'refreshAuth, small token',
    ]);
    expect(problems[1]).toContain('user:basic [], not userDataForm [jobTitle,tShirtSize,team');
  });

  it('an optional field that is requested although such fields are skipped', async () => {
    const problems = await problemsOf({ ...asksAll, missing: complete.missing, scope: complete.scope }, some);
    expect(problems).toHaveLength(4);
  });

  it('a token that says more than its response', async () => {
    const { body, jwt } = await own.tenant.world.signIn(newEmail());
    const schema = shown.get('refreshAuth')!.get(200)!;
    const check = (token: string) => answers.problemsIn('refreshAuth', nothing, schema, { ...body, jwt: token });
    expect(check(jwt)).toEqual([]);
    const missing = { scope: 'user:basic', missing_fields: [{ name: 'jobTitle' }] };
    expect(check(await resign(own.tenant.world, jwt, missing))).toEqual([
      'refreshAuth, token: user:basic [jobTitle], not user:basic []',
    ]);
    expect(check(await resign(own.tenant.world, jwt, { scope: 'userDataForm' }))).toHaveLength(1);
  });

  it('a profile where none should be reported', async () => {
    const { jwt } = await own.tenant.world.signIn(newEmail());
    const schema = shown.get('authenticateWaas')!.get(200)!;
    const tokens = (...of: string[]) => ({ encodedJwts: { jwt: of[0], minifiedJwt: of[1] } });
    const check = (body: object) => answers.problemsIn('authenticateWaas', nothing, schema, body);
    expect(check(tokens(jwt, jwt))).toEqual(['authenticateWaas: tells of a profile']);
    const ofTeam = await resign(own.tenant.world, jwt, { scope: 'waas.authenticate', missing_fields: [] });
    expect(check(tokens(ofTeam, ofTeam))).toEqual([]);
  });

  it('an operation that shows no user', () => {
    const schema = shown.get('getUser')!.get(200)!;
    expect(answers.problemsIn('getUser', nothing, schema, {})).toEqual(['getUser: shows nobody']);
  });
});
