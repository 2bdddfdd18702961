import { defineError } from '../../common/errors/index.js';

export const replayUnderWay = defineError({
  code: 'replay_under_way',
  status: 409,
  message: 'Another replay of this webhook is under way.',
  hint: 'Wait until it has ended, or cancel it. See payload.replayId.',
  cause: 'A webhook has one replay at a time. The same request once more is answered with the one that runs.',
  fix: 'Follow the replay named in `payload.replayId`, or cancel it, and ask again.',
});
