// What is served, and whether with demo data.

import type { Application } from '../../app.ts';

export type ServeOptions = { readonly demo: boolean; readonly application: Application };
