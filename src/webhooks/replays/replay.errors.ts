import { defineError } from '../../common/errors/index.js';

export const replayUnderWay = defineError({
  code: 'replay_under_way',
  status: 409,
  message: 'Another replay of this webhook is in progress.',
  hint: 'Wait until it has ended, or cancel it. See payload.replayId.',
  cause: 'A webhook has one replay at a time. Repeating the same request returns the running one.',
  fix: 'Wait for the replay in `payload.replayId`, or cancel it, and try again.',
});
