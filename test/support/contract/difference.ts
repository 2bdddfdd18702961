export type DifferenceRule =
  | 'operation'
  | 'path'
  | 'method'
  | 'audience'
  | 'scope'
  | 'deprecated'
  | 'parameter'
  | 'extra-parameter'
  | 'request-body'
  | 'content-type'
  | 'status'
  | 'extra-status'
  | 'header'
  | 'missing-field'
  | 'extra-field'
  | 'required'
  | 'type'
  | 'nullable'
  | 'enum'
  | 'limit';

export interface Difference {
  rule: DifferenceRule;
  /** Where in the operation: `request body.rules[].type`, `response 200 body.items[].id`, `query limit`. */
  at: string;
  contract: string;
  generated: string;
  /**
   * Name under which `additions.json` may allow an extra: `Webhook.health` for a field of a contract component,
   * `getWebhook 409` for a status, `getWebhook query:verbose` for a parameter, `inviteGuest response 200 body` for a body
   * where the contract has none. Absent: cannot be allowed.
   */
  allowedAs?: string;
}

/** Extra name to the reason why this service has it. */
export type Additions = Record<string, string>;

export function describeDifference(difference: Difference): string {
  const { rule, at, contract, generated } = difference;
  return `${rule} at ${at}: the contract has ${contract}, the document has ${generated}`;
}

/** Differences not covered by an addition, and the names of the additions used. */
export function withoutAdditions(
  differences: readonly Difference[],
  additions: Additions,
): { remaining: Difference[]; used: Set<string> } {
  const used = new Set<string>();
  const remaining = differences.filter(({ allowedAs }) => {
    if (allowedAs === undefined || !(allowedAs in additions)) return true;
    used.add(allowedAs);
    return false;
  });
  return { remaining, used };
}
