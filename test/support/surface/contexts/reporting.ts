import type { Surface } from '../surface.js';

const RANGE = 'start=2026-01-01&end=2026-01-31';

export const surface: Surface = {
  operations: {
    getAnalyticsEngagement: { request: () => ({ query: RANGE }) },
    getAnalyticsTopline: { request: () => ({ query: RANGE }) },
    getAnalyticsOverview: { request: () => ({ query: `${RANGE}&granularity=day` }) },
    getAnalyticsWallets: { request: () => ({ query: `${RANGE}&chain=EVM` }) },
  },
  commands: {
    'analytics rebuild': {
      options: ({ world }) => ['--environment', world.environmentId],
      untold: 'counts what is there; nothing that anybody was told of changes',
    },
  },
};
