import { word } from '../../test/support/surface/records.js';
import type { Surface } from '../../test/support/surface/surface.js';

/** What the API document cannot express: how to create a note, and that each has its own text. */
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
