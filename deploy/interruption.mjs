// Whoever stops npm stops what it has started, whatever he stops it with: a signal, or kill -9 of npm itself.
import { constants } from 'node:os';
import { clearInterval, setInterval } from 'node:timers';

const abort = new AbortController();

/** Is aborted by the first signal, until the service or the command listens to them itself; `reason` is its name. */
export const interruption = abort.signal;

const isService = process.argv[2] === 'main';

/** An interrupted start of the service has ended as it should; a command has not done what was asked. */
export function endInterrupted() {
  process.exit(isService ? 0 : 128 + constants.signals[interruption.reason]);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) abort.abort(signal);
  });
}

// A npm that is killed tells nobody, but who it leaves behind gets another parent. Only where npm runs this very file:
// whoever starts node by itself may end before it.
if (process.platform !== 'win32' && process.env.npm_lifecycle_script?.includes(' deploy/')) {
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
