// Stops the process on SIGTERM and SIGINT.

import type { Logger } from 'pino';
import { limits } from '../http/limits/limits.ts';

/** Runs `stop` once, and exits when it has finished or its time is up. */
export function stopOnSignal(log: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    const timeout = setTimeout(() => {
      log.warn('shutdown timed out');
      process.exit(0);
    }, limits.shutdownMs);
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
