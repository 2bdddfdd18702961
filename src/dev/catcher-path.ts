export const CATCHER_PATH = 'dev/webhooks';
