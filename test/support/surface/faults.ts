import { COMMANDS } from '../../../src/cli/commands.js';
import { isDestructive, recordName, type ApiOperation } from './operations.js';
import type { WholeSurface } from './surface.js';

/** Declarations of nothing, and path parameters without a declaration. */
export function faultsOfSurface(surface: WholeSurface, operations: readonly ApiOperation[]): string[] {
  const known = new Map(operations.map((operation) => [operation.id, operation]));
  const named = operations.flatMap((operation) => operation.pathParams.map((param) => recordName(operation, param)));
  const everyPath = operations.map(({ path }) => path).join();
  const isThere = (name: string): boolean => Object.hasOwn(surface.records, name) || PRESET.has(name);
  return [
    ...Object.keys(surface.operations).flatMap((id) => (known.has(id) ? [] : [`${id}: is no operation`])),
    ...operations.flatMap(faultsOfOperation),
    ...[...new Set(named)].flatMap((name) => (isThere(name) ? [] : [`${name}: no record is declared`])),
    ...Object.keys(surface.records).flatMap((name) => (named.includes(name) ? [] : [`${name}: no path names it`])),
    ...Object.keys(surface.kinds).flatMap((name) => (everyPath.includes(`{${name}}`) ? [] : [`${name}: no such kind`])),
    ...Object.keys(surface.commands).flatMap((words) =>
      COMMANDS.some((command) => command.words === words) ? [] : [`${words}: is no command`],
    ),
  ];
}

/** Every tenant has them from the start. */
const PRESET: ReadonlySet<string> = new Set(['environmentId', 'organizationId']);

function faultsOfOperation(operation: ApiOperation): string[] {
  const { id, method, audience, events, path, surface } = operation;
  const undocumented = Object.keys(surface.toldSometimes ?? {}).filter((name) => !events.includes(name));
  const notInPath = Object.keys(surface.paths ?? {}).filter((param) => !path.includes(`{${param}}`));
  return [
    ...(surface.untold !== undefined && method === 'GET' ? [`${id}: untold, but it only reads`] : []),
    ...(surface.unrecorded !== undefined && (audience !== 'dashboard' || method === 'GET')
      ? [`${id}: unrecorded, but there is nothing to record`]
      : []),
    ...undocumented.map((name) => `${id}: told sometimes, but does not document ${name}`),
    ...notInPath.map((param) => `${id}: its path has no ${param}`),
    ...(surface.usesUp && method === 'DELETE' && isDestructive(operation) ? [`${id}: DELETE always uses up`] : []),
  ];
}
