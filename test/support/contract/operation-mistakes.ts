import { inOperation, type Mistake, operation } from './planting.js';

/** Mistakes in everything around the bodies of an operation. */
export const operationMistakes: Mistake[] = [
  [
    'an operation that is absent',
    'getDoor',
    (d) => delete d.paths['/houses/{houseId}/doors/{doorId}'],
    'operation',
    'getDoor',
  ],
  [
    'another path',
    'frontDoor',
    (d) => {
      d.paths['/houses/{houseId}/door'] = d.paths['/houses/{houseId}/doors/front'] ?? {};
      delete d.paths['/houses/{houseId}/doors/front'];
    },
    'path',
    'path',
  ],
  [
    'another method',
    'frontDoor',
    (d) => {
      const get = operation(d, 'frontDoor');
      d.paths['/houses/{houseId}/doors/front'] = { put: get };
    },
    'method',
    'method',
  ],
  [
    'another audience',
    'listDoors',
    inOperation('listDoors', (o) => (o['x-audience'] = 'public')),
    'audience',
    'x-audience',
  ],
  [
    'another scope',
    'listDoors',
    inOperation('listDoors', (o) => (o['x-token-scope'] = 'environment.users.read')),
    'scope',
    'x-token-scope',
  ],
  [
    'a scope that is absent',
    'addDoor',
    inOperation('addDoor', (o) => delete o['x-token-scope']),
    'scope',
    'x-token-scope',
  ],
  [
    'a deprecation that is absent',
    'addDoor',
    inOperation('addDoor', (o) => delete o.deprecated),
    'deprecated',
    'deprecated',
  ],
  [
    'a parameter that is absent',
    'listDoors',
    inOperation('listDoors', (o) => (o.parameters = o.parameters?.filter(({ name }) => name !== 'limit'))),
    'parameter',
    'query:limit',
  ],
  [
    'a parameter in another place',
    'listDoors',
    inOperation('listDoors', (o) => (o.parameters = o.parameters?.filter(({ in: place }) => place !== 'header'))),
    'parameter',
    'header:x-door-token',
  ],
  [
    'an extra parameter',
    'addDoor',
    inOperation(
      'addDoor',
      (o) => (o.parameters = [...(o.parameters ?? []), { name: 'dry', in: 'query', schema: { type: 'boolean' } }]),
    ),
    'extra-parameter',
    'query:dry',
  ],
  [
    'a parameter that became required',
    'listDoors',
    inOperation('listDoors', (o) => Object.assign(o.parameters?.[1] ?? {}, { required: true })),
    'parameter',
    'query:limit required',
  ],
  [
    'a parameter style',
    'listDoors',
    inOperation('listDoors', (o) => delete o.parameters?.[2]?.style),
    'parameter',
    'query:filter style',
  ],
  [
    'a parameter that may no longer be repeated',
    'listDoors',
    inOperation('listDoors', (o) => Object.assign(o.parameters?.[1] ?? {}, { explode: false })),
    'parameter',
    'query:limit style',
  ],
  [
    'a parameter limit',
    'listDoors',
    inOperation('listDoors', (o) => Object.assign(o.parameters?.[1]?.schema ?? {}, { maximum: 50 })),
    'limit',
    'query:limit',
  ],
  [
    'a parameter type',
    'listDoors',
    inOperation('listDoors', (o) => Object.assign(o.parameters?.[1]?.schema ?? {}, { type: 'number' })),
    'type',
    'query:limit',
  ],
  [
    'a body that is absent',
    'addDoor',
    inOperation('addDoor', (o) => delete o.requestBody),
    'request-body',
    'request body',
  ],
  [
    'a body that became optional',
    'addDoor',
    inOperation('addDoor', (o) => Object.assign(o.requestBody ?? {}, { required: false })),
    'request-body',
    'request body required',
  ],
  [
    'another media type',
    'addDoor',
    inOperation('addDoor', (o) => Object.assign(o.requestBody?.content ?? {}, { 'text/plain': {} })),
    'content-type',
    'request',
  ],
  [
    'another success status',
    'addDoor',
    inOperation(
      'addDoor',
      (o) => (o.responses = { '200': o.responses?.['201'] ?? {}, '422': o.responses?.['422'] ?? {} }),
    ),
    'status',
    'response 201',
  ],
  [
    'an extra success status',
    'getDoor',
    inOperation('getDoor', (o) => Object.assign(o.responses ?? {}, { '206': {} })),
    'extra-status',
    'response 206',
  ],
  [
    'a fault that is not documented',
    'addDoor',
    inOperation('addDoor', (o) => delete o.responses?.['422']),
    'status',
    'response 422',
  ],
  [
    'a fault the contract rules out',
    'getDoor',
    inOperation('getDoor', (o) => Object.assign(o.responses ?? {}, { '410': {} })),
    'extra-status',
    'response 410',
  ],
  [
    'a body where there is none',
    'removeDoor',
    inOperation('removeDoor', (o) =>
      Object.assign(o.responses?.['204'] ?? {}, { content: { 'application/json': {} } }),
    ),
    'content-type',
    'response 204',
  ],
  [
    'no body where there is one',
    'getDoor',
    inOperation('getDoor', (o) => delete o.responses?.['200']?.content),
    'content-type',
    'response 200',
  ],
  [
    'a redirect without its header',
    'listDoors',
    inOperation('listDoors', (o) => delete o.responses?.['302']?.headers),
    'header',
    'response 302 Location',
  ],
];
