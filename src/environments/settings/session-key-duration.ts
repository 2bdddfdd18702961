import { durationSeconds } from './jwt-duration.js';
import type { FieldProblem } from './settings-validation.js';
import type { ProjectSettings } from './settings.types.js';

/** Keys that are registered or emailed live this long, so a shorter duration could not be honoured. */
const MIN_SECONDS = 900;
/** Sessions last longer, but a key is only trusted while its proof is recent. */
const MAX_SECONDS = 86_400;

/** How many seconds after a sign-in its key may stamp requests: between 15 minutes and a day. */
export function firstKeySeconds({ sdk }: Pick<ProjectSettings, 'sdk'>): number {
  const wanted = wantedSeconds(sdk) ?? MAX_SECONDS;
  return Math.min(Math.max(wanted, MIN_SECONDS), MAX_SECONDS);
}

/** Reports a duration that could not be honoured. */
export function sessionKeyProblems({ sdk }: Pick<ProjectSettings, 'sdk'>): FieldProblem[] {
  const wanted = wantedSeconds(sdk);
  if (wanted === null || wanted === firstKeySeconds({ sdk })) return [];
  return [
    { path: 'sdk.embeddedWallets.sessionKeyDuration', message: 'keys of sessions are good for 15 minutes to 24 hours' },
  ];
}

function wantedSeconds({ embeddedWallets }: ProjectSettings['sdk']): number | null {
  const duration = embeddedWallets?.sessionKeyDuration;
  return duration ? durationSeconds(duration) : null;
}
