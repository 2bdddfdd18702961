import { describe, expect, it } from '@jest/globals';
import { faultsOfSurface } from './support/surface/faults.js';
import { apiDocument, operations, operationsOf } from './support/surface/operations.js';
import { serviceSurface } from './support/surface/registry.js';
import { joinSurfaces, type Surface } from './support/surface/surface.js';

describe('what the contexts declare of their operations', () => {
  it('is of operations, records and commands that exist, and nothing that a path names is missing', () => {
    expect(faultsOfSurface(serviceSurface, operations)).toEqual([]);
  });

  it.each<[string, Surface, string]>([
    ['an operation that does not exist', { operations: { createNothing: {} } }, 'createNothing: is no operation'],
    [
      'a record that no path names',
      { records: { parcelId: { make: async () => 'id' } } },
      'parcelId: no path names it',
    ],
    ['a kind that no path names', { kinds: { noteKind: 'long' } }, 'noteKind: no such kind'],
    ['a command that does not exist', { commands: { 'notes print': {} } }, 'notes print: is no command'],
    [
      'an exception for an operation that has nothing to publish',
      { operations: { getKeysForEnvironment: { untold: 'only reads' } } },
      'getKeysForEnvironment: untold, but it only reads',
    ],
    [
      'an event that the operation does not document',
      { operations: { deleteOriginById: { toldSometimes: { 'user.created': 'never' } } } },
      'deleteOriginById: told sometimes, but does not document user.created',
    ],
    [
      'a path parameter that is not in the path',
      { operations: { deleteOriginById: { paths: { parcelId: 'originId' } } } },
      'deleteOriginById: its path has no parcelId',
    ],
  ])('would be seen to fail: %s', (_name, planted, fault) => {
    const surface = joinSurfaces([serviceSurface, planted]);
    expect(faultsOfSurface(surface, operationsOf(apiDocument, surface))).toContain(fault);
  });

  it('would be seen to fail: a record that a path names and nobody declares', () => {
    const { originId: _missing, ...records } = serviceSurface.records;
    expect(faultsOfSurface({ ...serviceSurface, records }, operations)).toContain('originId: no record is declared');
  });

  it('is declared once', () => {
    expect(() => joinSurfaces([serviceSurface, { kinds: { sdkViewType: 'signup' } }])).toThrow(
      'declared twice among kinds: sdkViewType',
    );
  });
});
