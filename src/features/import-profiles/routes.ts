// Declares the operations on import profiles: GetImportProfiles, GetImportProfile, SetImportProfile and TryImportProfile.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { importsAccess, profileWriteAccess } from './access.ts';
import { getImportProfile } from './operations/get-import-profile.ts';
import { getImportProfiles } from './operations/get-import-profiles.ts';
import { setImportProfile } from './operations/set-import-profile.ts';
import { tryImportProfile } from './operations/try-import-profile.ts';
import {
  ImportProfile,
  ImportProfileChange,
  ImportProfileList,
  ImportSample,
  ProfileParams,
  SampleFile,
  SampleQuery,
} from './schemas.ts';

const common = { openApiDocuments: ['portal'], group: 'Imports', deadlineMs: 10_000 } as const;
const maxProfileBytes = 256 * 1024;
/** A client that sends more has not cut off the beginning of its file. */
const maxSampleBytes = 1024 ** 2;

export const importProfilesRoutes: readonly Operation[] = [
  defineManagerOperation({
    ...common,
    id: 'GetImportProfiles',
    method: 'GET',
    path: '/api/v1/import-profiles',
    summary: 'List the profiles of files to import',
    description: 'Those that come with the service, and the latest versions of the tenant’s own.',
    access: importsAccess,
    response: jsonOf(ImportProfileList),
    run: (_, context) => getImportProfiles(context),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetImportProfile',
    method: 'GET',
    path: '/api/v1/import-profiles/{name}',
    summary: 'Read a profile',
    description: 'Its latest version, with the document to copy or to change.',
    access: importsAccess,
    params: ProfileParams,
    response: jsonOf(ImportProfile),
    problemCodes: ['not-found'],
    run: ({ params: { name } }, context) => getImportProfile(context, name),
  }),
  defineManagerOperation({
    ...common,
    id: 'SetImportProfile',
    method: 'PUT',
    path: '/api/v1/import-profiles/{name}',
    summary: 'Store a profile',
    description:
      'Stores a new version, unless the document is that of the latest one. Every version is kept; imports use the latest. Each error of the document is named with its place. The fields of a kind that can be imported are its columns, `key` and `kid`. Profiles that come with the service cannot be changed.',
    access: profileWriteAccess,
    params: ProfileParams,
    body: ImportProfileChange,
    response: jsonOf(ImportProfile),
    problemCodes: ['import-profile-conflict', 'too-many-profiles'],
    acceptsIdempotencyKey: true,
    maxBodyBytes: maxProfileBytes,
    run: ({ params, body }, context) => setImportProfile(context, { ...params, ...body }),
  }),
  defineManagerOperation({
    ...common,
    id: 'TryImportProfile',
    method: 'POST',
    path: '/api/v1/import-profiles/{name}/try',
    summary: 'Read the beginning of a file by a profile',
    description:
      'Takes the beginning of a file, and shows what was detected and the first 20 rows as fields, or what is wrong with them. Changes nothing. Takes no `Idempotency-Key`.',
    access: importsAccess,
    params: ProfileParams,
    query: SampleQuery,
    body: SampleFile,
    bodyFormat: 'octets',
    maxBodyBytes: maxSampleBytes,
    response: jsonOf(ImportSample),
    problemCodes: ['not-found', 'uploads-busy'],
    run: ({ params, query, body: file }, context) => tryImportProfile(context, { ...params, ...query, file }),
  }),
];
