import { word } from '../records.js';
import type { Surface } from '../surface.js';

export const surface: Surface = {
  operations: {
    applyCouponForSubscription: {
      request: async ({ db, marker }) => {
        const code = marker.toUpperCase();
        await db.query('INSERT INTO billing_coupons (code, trial_days) VALUES ($1, 7) ON CONFLICT DO NOTHING', [code]);
        return { body: { coupon: marker } };
      },
    },
  },
  commands: {
    'billing coupon create': {
      options: () => ['--code', word(), '--trial-days', '7'],
      untold: 'a coupon belongs to the operator until somebody redeems it, which is published',
    },
  },
};
