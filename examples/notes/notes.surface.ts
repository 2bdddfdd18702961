import { word } from '../../test/support/surface/records.js';
import type { Surface } from '../../test/support/surface/surface.js';

/** What the document cannot say: how to make a note, and that each has a text of its own. */
export const surface: Surface = {
  records: {
    noteId: {
      make: async ({ world, marker }) => {
        const text = `${marker} ${word()}`;
        const made = await world.api.post<{ id: string }>(world.path('/notes'), { text }, { expect: 201 });
        return made.body.id;
      },
    },
  },
  operations: { createNote: { request: () => ({ body: { text: word() } }) } },
};
