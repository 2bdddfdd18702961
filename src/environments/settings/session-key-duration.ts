import { durationSeconds } from './jwt-duration.js';
import type { FieldProblem } from './settings-validation.js';
import type { ProjectSettings } from './settings.types.js';

/** A key that is registered or mailed lives for as long, so no shorter time could be kept. */
const MIN_SECONDS = 900;
/** Sessions last longer, and a key is good for as long as its proof is near. */
const MAX_SECONDS = 86_400;

/** For how many seconds after a sign-in the key that came with it stamps requests, within 15 minutes and a day. */
export function firstKeySeconds({ sdk }: Pick<ProjectSettings, 'sdk'>): number {
  const wanted = wantedSeconds(sdk) ?? MAX_SECONDS;
  return Math.min(Math.max(wanted, MIN_SECONDS), MAX_SECONDS);
}

/** A time that would not be kept. */
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
