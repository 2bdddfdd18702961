export const DEVELOPMENT_ONLY = 'Development only: this page exists on this machine and never in production.';
