import { ok, type Finding } from '../finding.js';

/** For what this build has no setting for yet, so that its absence is said. */
export const noneConfigured = (consequence?: string): Finding =>
  ok(consequence ? `none configured: ${consequence}` : 'none configured');
