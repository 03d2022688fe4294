// Services for tests of what the service declares: its operations, documents and pages. Nothing can be stored.

import { readConfig } from '../../src/config.ts';
import { createServices, type Services } from '../../src/services.ts';

/** Below a file there is nothing, and nothing can be made. */
const nowhere = `${import.meta.filename}/nowhere`;

export const createServicesWithoutStorage = (): Services =>
  createServices(
    readConfig({
      PORTAL_STORAGE: `sqlite:${nowhere}`,
      PORTAL_CACHE: nowhere,
      PORTAL_MAIL_OUTBOX: nowhere,
      PORTAL_HOSTING_STATE: nowhere,
      PORTAL_PORT: '0',
      PORTAL_METRICS_PORT: '0',
      PORTAL_LOG_LEVEL: 'silent',
    }),
    { demo: false },
  );
