import { decodeJwt } from 'jose';
import type { JsonSchema, OpenApiDoc } from '../contract/openapi-document.js';
import { expectedOf, type Row } from './rows.js';
import { ShownProperties, type Answers } from './shown.js';

/** Responses that contain nobody's profile, and why. */
export const WITHOUT_PROFILE: Readonly<Record<string, string>> = {
  updateMemberRole: 'members are shown by their ids, names and addresses',
  getOrganizationMembers: 'members are shown by their ids, names and addresses',
  authenticateWaas: 'the token is one of the team, which fills in no form',
};
const OF_PROFILES = /\b(?:user:basic|userDataForm)\b/;

const namesIn = (fields: unknown): string[] => ((fields ?? []) as { name: string }[]).map(({ name }) => name);

/** Where responses say what a user has yet to supply, in a field or by the scopes of a token. */
export class OnboardingAnswers {
  private readonly users: ShownProperties;
  private readonly tokens: ShownProperties;

  constructor(document: OpenApiDoc) {
    this.users = new ShownProperties(document, ['missingFields']);
    this.tokens = new ShownProperties(document, ['jwt', 'minifiedJwt']);
  }

  operations(): ReadonlyMap<string, Answers> {
    return new Map([...this.users.operations(), ...this.tokens.operations()]);
  }

  /** Problems in a response about a user to whom a row applies. */
  problemsIn(id: string, row: Row, schema: JsonSchema, body: unknown): string[] {
    const people = this.users.holdersIn(schema, body);
    const tokens = this.tokens.holdersIn(schema, body).filter(({ jwt, minifiedJwt }) => jwt ?? minifiedJwt);
    if (people.length + tokens.length === 0) return [`${id}: shows nobody`];
    if (id in WITHOUT_PROFILE)
      return [...people, ...tokens].filter(tellsOfProfile).map(() => `${id}: tells of a profile`);
    return [
      ...people.flatMap((one) => differences(`${id}, user`, expectedOf(row, one), namesIn(one['missingFields']), one)),
      ...tokens.flatMap((one) => this.problemsOfTokens(id, row, one)),
    ];
  }

  private problemsOfTokens(id: string, row: Row, { jwt, minifiedJwt, user }: Record<string, unknown>): string[] {
    const full = decodeJwt(String(jwt));
    const { email, phone_number: phoneNumber } = full;
    const expected = expectedOf(row, (user as object | undefined) ?? { email, phoneNumber });
    const small = typeof minifiedJwt === 'string' ? [decodeJwt(minifiedJwt)] : [];
    return [
      ...differences(`${id}, token`, expected, namesIn(full['missing_fields']), full),
      ...small.flatMap((claims) => differences(`${id}, small token`, expected, expected.missing, claims)),
    ];
  }
}

function tellsOfProfile({ missingFields, jwt, minifiedJwt }: Record<string, unknown>): boolean {
  const claims = [jwt, minifiedJwt].flatMap((token) => (typeof token === 'string' ? [decodeJwt(token)] : []));
  return (
    missingFields !== undefined ||
    claims.some((one) => namesIn(one['missing_fields']).length > 0 || OF_PROFILES.test(String(one['scope'])))
  );
}

/** An object without scopes, such as a user read by a team, is only checked for the fields. */
function differences(
  where: string,
  expected: { missing: string[]; scope: string },
  missing: string[],
  { scope = expected.scope }: Record<string, unknown>,
): string[] {
  const told = (names: string[]): string => `[${names.join()}]`;
  const [is, must] = [`${String(scope)} ${told(missing)}`, `${expected.scope} ${told(expected.missing)}`];
  return is === must ? [] : [`${where}: ${is}, not ${must}`];
}
