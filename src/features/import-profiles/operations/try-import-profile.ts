// TryImportProfile: reads the beginning of a file by a profile, and changes nothing.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { CsvSeparator } from '../formats/csv-scanner.ts';
import type { TextEncoding } from '../formats/decode-text.ts';
import { requireImportProfile } from '../read-profile.ts';
import { readSample } from '../read-sample.ts';
import type { ImportSample } from '../schemas.ts';

type TryImportProfileInput = {
  readonly name: string;
  readonly format?: 'csv' | 'json-lines';
  readonly encoding?: TextEncoding;
  readonly separator?: CsvSeparator;
  readonly file: AsyncIterable<Uint8Array>;
};

export async function tryImportProfile(
  context: ManagerContext,
  { name, file, ...options }: TryImportProfileInput,
): Promise<ImportSample> {
  const { profile } = await context.read((db) => requireImportProfile(db, name));
  return readSample(profile, file, options);
}
