import { newEmail } from '../world.js';
import { freshProof, ownerToken } from './fresh-proof.js';
import { isDestructive, recordName, type ApiOperation } from './operations.js';
import type { RawRequest } from './raw-client.js';
import type { RecordIds } from './records.js';
import type { RequestParts } from './surface.js';
import type { Tenant } from './tenant.js';

/** The credential that the document requires. */
export async function rightToken(tenant: Tenant, operation: ApiOperation): Promise<string | null> {
  const { audience, scope } = operation;
  if (audience === 'public') return null;
  if (audience === 'end-user') return tenant.endUser.jwt;
  return scope === null ? ownerToken(tenant, operation) : tenant.world.token;
}

/** A valid body and query: as the context declares them, or else from the document's examples. */
export async function validRequest(
  tenant: Tenant,
  operation: ApiOperation,
  given?: string | null,
): Promise<RequestParts> {
  const { body, bodyExample, schemas, surface } = operation;
  const token = given === undefined ? await rightToken(tenant, operation) : given;
  if (surface.request) {
    await tenant.proveEndUser();
    return surface.request(tenant, token);
  }
  return body === null ? {} : { body: bodyExample ?? schemas.requestSample(body) };
}

/** A record for a call that uses it up, or that only its owner may see; none if the tenant's is suitable. */
export async function recordsFor(tenant: Tenant, operation: ApiOperation, userId?: string): Promise<RecordIds> {
  const last = operation.pathParams.at(-1);
  if (!last || last === 'environmentId' || !isDestructive(operation)) return {};
  const name = recordName(operation, last);
  return { [name]: await tenant.makeRecord(name, userId) };
}

/** A call that must always succeed. */
export async function validCall(tenant: Tenant, operation: ApiOperation): Promise<RawRequest & RequestParts> {
  const fitting = await operation.surface.fittingRecords?.(tenant);
  const path = tenant.pathOf(operation, fitting ?? (await recordsFor(tenant, operation)));
  // Must not end the tenant's session; suitable records belong to the tenant's end user.
  const isOwnSession = operation.audience === 'end-user' && isDestructive(operation) && !fitting;
  const token = isOwnSession ? (await tenant.world.signIn(newEmail())).jwt : await rightToken(tenant, operation);
  const { body, query, headers } = await validRequest(tenant, operation, token);
  return {
    method: operation.method,
    path: `${path}${query ? `?${query}` : ''}`,
    query,
    token,
    headers: { ...(await freshProof(tenant, operation, token)), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}
