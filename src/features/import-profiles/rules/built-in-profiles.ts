// The profiles that come with the service. docs/imports.md says what each was checked against.

import charges from '../profiles/charges.json' with { type: 'json' };
import chargesFixedWidth from '../profiles/charges-fixed-width.json' with { type: 'json' };
import danishResidents from '../profiles/danish-residents.json' with { type: 'json' };
import heiwakoA from '../profiles/heiwako-a.json' with { type: 'json' };
import heiwakoD from '../profiles/heiwako-d.json' with { type: 'json' };
import residentsExport from '../profiles/residents-export.json' with { type: 'json' };
import { parseProfile, type Profile } from './profile.ts';

/** Lists the documents as they are stored in files. */
export const listBuiltInDocuments = () => [
  residentsExport,
  danishResidents,
  charges,
  chargesFixedWidth,
  heiwakoA,
  heiwakoD,
];

/** By their names. */
export const createBuiltInProfiles = (): ReadonlyMap<string, Profile> =>
  new Map(listBuiltInDocuments().map((document) => [document.name, requireProfile(document)]));

function requireProfile(document: { readonly name: string }): Profile {
  const parsed = parseProfile(document);
  if ('errors' in parsed) throw new Error(`the profile ${document.name} has errors: ${JSON.stringify(parsed.errors)}`);
  return parsed.profile;
}
