import type { Surface } from '../surface.js';

export const surface: Surface = {
  commands: {
    'analytics rebuild': {
      options: ({ world }) => ['--environment', world.environmentId],
      untold: 'counts what is there; nothing that anybody was told of changes',
    },
  },
};
