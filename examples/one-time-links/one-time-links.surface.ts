import type { Surface } from '../../test/support/surface/surface.js';

/** What neither the API document nor the database can express. */
export const surface: Surface = {
  impersonal: { one_time_links: 'names people by the id of the team alone, and for an hour' },
};
