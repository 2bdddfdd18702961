import { clearInterval, setInterval } from 'node:timers';

const EVERY_MS = 200;

/**
 * npm runs a script in a shell, which dies from a signal without forwarding it. If a program starts the service with
 * `npm start` and then kills npm, the service would keep running, so it watches whether its shell is alive. Ctrl-C in a
 * terminal reaches every process anyway.
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
