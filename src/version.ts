// The service's version: package.json's, everywhere.

import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;
