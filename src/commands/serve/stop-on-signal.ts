// Stops the process on SIGTERM and SIGINT.

import type { Logger } from 'pino';

/** Runs `stop` once, and exits when it has finished or its time is up. */
export function stopOnSignal(log: Logger, timeoutMs: number, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    const timeout = setTimeout(() => {
      log.warn('shutdown timed out');
      process.exit(0);
    }, timeoutMs);
    stop().then(
      () => {
        clearTimeout(timeout);
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
