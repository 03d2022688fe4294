// TryImportProfile: reads the beginning of a file by a profile, and changes nothing.

import type { Static } from 'typebox';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { requireImportProfile } from '../read-profile.ts';
import { readSample } from '../read-sample.ts';
import type { ImportSample, ProfileParams, SampleFile, SampleQuery } from '../schemas.ts';

type TryImportProfileInput = Static<typeof ProfileParams> &
  Static<typeof SampleQuery> & { readonly file: Static<typeof SampleFile> };

export async function tryImportProfile(
  context: ManagerContext,
  { name, file, ...options }: TryImportProfileInput,
): Promise<ImportSample> {
  const { profile } = await context.read((db) => requireImportProfile(db, name));
  return readSample(profile, file, options);
}
