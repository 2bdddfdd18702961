import type { Surface } from '../surface.js';

export const surface: Surface = {
  commands: {
    'keys generate': { untold: 'prints a key and stores nothing' },
    'keys status': { untold: 'only counts' },
    'keys rewrap': {
      untold: 'seals what is stored under another master key; nobody outside can see the difference',
    },
  },
};
