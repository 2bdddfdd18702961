import { clearInterval, setInterval } from 'node:timers';

const EVERY_MS = 200;

/**
 * npm runs a script in a shell, which ends by a signal without handing it on. So the service that a script or another program
 * has started by `npm start`, and stops by the number of npm, would go on: it looks whether its shell is still there. Ctrl-C
 * in a terminal reaches every process by itself.
 */
export function endWithShellOfNpm() {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const shell = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, EVERY_MS);
  look.unref();
}
