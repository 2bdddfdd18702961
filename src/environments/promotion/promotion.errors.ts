import { defineError } from '../../common/errors/index.js';

export const planOutdated = defineError({
  code: 'plan_outdated',
  status: 409,
  message: 'The plan is outdated: nothing was written.',
  hint: 'Make a new plan, read it, and apply that one.',
  cause: 'One of the two environments has changed since the plan was made, or the plan was made with other options.',
  fix: 'Call planPromotion again with the same options, look at what it would change, and send its digest.',
});

export const promotionRefused = defineError({
  code: 'promotion_refused',
  status: 422,
  message: 'The promotion is not valid.',
  hint: 'Look at the environments and at the paths in `except`.',
  cause:
    'The source and the target are the same environment, or `except` names something that is not part of an environment.',
  fix: 'Name another environment of the same organization as the source, and in `except` only parts that plans show.',
});
