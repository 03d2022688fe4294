// The dependencies for tests of what the service declares: its operations, documents and pages. Nothing can be stored.

import { readConfig } from '../../src/config.ts';
import { createDependencies, type Dependencies } from '../../src/dependencies.ts';

/** A path below a file, where nothing exists and nothing can be created. */
const nowhere = `${import.meta.filename}/nowhere`;

export const createDependenciesWithoutStorage = (): Dependencies =>
  createDependencies(
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
