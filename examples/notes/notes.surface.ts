import type { Surface } from '../../test/support/surface/surface.js';

/** What the document cannot say: how to make a note. The requests are made of what the fields declare. */
export const surface: Surface = {
  records: {
    noteId: {
      make: async ({ world, marker }) => {
        const made = await world.api.post<{ id: string }>(world.path('/notes'), { text: marker }, { expect: 201 });
        return made.body.id;
      },
    },
  },
};
