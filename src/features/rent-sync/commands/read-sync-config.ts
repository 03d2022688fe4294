// Reads the config of a synchronised folder, and checks that the profiles and banks that it names are there.

import { createWorkTarget } from '../../imports/require-import.ts';
import { Problem } from '../../../lib/problem.ts';
import type { Db } from '../../../database/db.ts';
import { requireBank } from '../../places/require-place.ts';
import type { ImportKind } from '../../import-kinds/import-kind.ts';
import { importKinds } from '../../import-kinds/import-kinds.ts';
import { readProfile } from '../../import-profiles/read-profile.ts';
import type { ImportKindName } from '../../import-kinds/rules/kind-names.ts';
import { parseSyncConfig, type SyncConfig, type SyncConfigError, type OutgoingFile } from '../rules/sync-config.ts';
import type { OperatorImports } from '../../imports/commands/import-by-operator.ts';

const deadlineMs = 30_000;

/** `bankId`: the bank of entries that name none. */
export async function readSyncConfig(
  operator: OperatorImports,
  document: unknown,
  bankId: number | undefined,
): Promise<{ readonly config: SyncConfig } | { readonly errors: readonly SyncConfigError[] }> {
  const kinds: Readonly<Partial<Record<ImportKindName, ImportKind>>> = importKinds;
  const parsed = parseSyncConfig(document, { tenant: operator.tenant.name, bankId, factsOf: (kind) => kinds[kind] });
  if ('errors' in parsed) return parsed;
  const { incoming, outgoing, charges } = parsed.config;
  const entries = [...incoming.map((each, index) => ({ ...each, path: `in[${index}]` })), ...outgoing];
  const errors = await operator.database.read({ deadlineMs }, async (db) => {
    const found: SyncConfigError[] = [];
    for (const entry of entries) found.push(...(await findMissing(db, operator, entry)));
    // They are of residents.
    for (const each of charges)
      found.push(...(await findMissing(db, operator, { ...each, kind: 'residents', profile: undefined })));
    return found;
  });
  return errors.length > 0 ? { errors } : parsed;
}

type Entry = Omit<OutgoingFile, 'file'>;

async function findMissing(
  db: Db,
  { tenant, clock }: OperatorImports,
  { path, kind: name, bankId, profile }: Entry,
): Promise<SyncConfigError[]> {
  const kind = importKinds[name];
  const { bank } = createWorkTarget({ tenant, now: clock() }, kind, bankId);
  const checks = [
    ...(kind.belongsTo === 'bank'
      ? [{ name: 'bank', message: 'must be a bank that there is', check: () => requireBank(db, bank) }]
      : []),
    ...(profile === undefined
      ? []
      : [
          {
            name: 'profile',
            message: `must be the name of a profile of ${name}`,
            check: () => readProfile(db, profile, kind),
          },
        ]),
  ];
  const errors: SyncConfigError[] = [];
  for (const { name: field, message, check } of checks)
    try {
      await check();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      errors.push({ path: `${path}.${field}`, message });
    }
  return errors;
}
