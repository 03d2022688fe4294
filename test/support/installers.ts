// How a test asks for installers, and puts some there.

import type { WriteDb } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';
import { insertInstallers, type NewInstaller } from '../../src/features/installers/queries/insert-installers.ts';
import type { CallOptions, HttpReply } from './call.ts';
import type { TestService } from './service.ts';

export const installersPath = '/api/v1/installers';

export const installerKid = (installerId: number): string => `sund-I${installerId}`;

export const installerPath = (installerId: number, rest = ''): string =>
  `${installersPath}/${installerKid(installerId)}${rest}`;

type Caller = Pick<TestService, 'call'>;

export const setInstallerIcon = (
  { call }: Caller,
  installerId: number,
  icon: unknown,
  { expectedRevision = '1', ...options }: CallOptions & { readonly expectedRevision?: string },
): Promise<HttpReply> =>
  call('PUT', installerPath(installerId, '/icon'), { body: { icon, expectedRevision }, ...options });

export type InstallerDraft = Partial<NewInstaller> & { readonly installerId: number };

export const createInstaller = (draft: InstallerDraft): NewInstaller => ({
  name: `Installer ${draft.installerId}`,
  email: '',
  phone: '',
  organisation: '',
  tags: [],
  state: 'active',
  lastActivityAt: null,
  icon: 'person',
  locations: [],
  ...draft,
});

export const insertTestInstaller = (db: WriteDb, ...drafts: InstallerDraft[]): Promise<void> =>
  insertInstallers(db, drafts.map(createInstaller));

export async function deleteInstaller(db: WriteDb, installerId: number): Promise<void> {
  await db.deleteFrom('installers').where('installer_id', '=', installerId).execute();
}

export type InstallerRecord = {
  readonly row: Tables['installers'];
  readonly audit: readonly Pick<Tables['audit_entries'], 'operation' | 'old_values' | 'new_values' | 'actor_id'>[];
};

export const readInstallerRecord = (
  { read }: Pick<TestService, 'read'>,
  installerId: number,
): Promise<InstallerRecord> =>
  read('sund', async (db) => {
    const row = db.selectFrom('installers').selectAll().where('installer_id', '=', installerId);
    const audit = db
      .selectFrom('audit_entries')
      .select(['operation', 'old_values', 'new_values', 'actor_id'])
      .where('object', '=', installerKid(installerId))
      .orderBy('sequence');
    return { row: await row.executeTakeFirstOrThrow(), audit: await audit.execute() };
  });

/** What a write of an installer can change, without the count of the attempts. */
export async function readInstallerContent(service: Pick<TestService, 'read'>, installerId: number): Promise<unknown> {
  const { row, audit } = await readInstallerRecord(service, installerId);
  return { ...row, writes: undefined, audit };
}
