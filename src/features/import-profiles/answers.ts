// Formats import profiles.

import type { NamedProfile } from './read-profile.ts';
import type { ImportProfile } from './schemas.ts';

export const toImportProfile = ({ profile: { name, kind }, document, version }: NamedProfile): ImportProfile => ({
  name,
  kind,
  version,
  builtIn: version === null,
  document: document as ImportProfile['document'],
  revision: version === null ? null : String(version),
});
