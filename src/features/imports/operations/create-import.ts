// CreateImport: makes the plan of an import while its file arrives. Nothing else is changed.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import type { BankKey } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { Databases } from '../../../database/databases.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { requireBank } from '../../places/require-place.ts';
import { toImport } from '../answers.ts';
import { beginImport } from '../change-import.ts';
import type { CsvSeparator } from '../../import-profiles/formats/csv-scanner.ts';
import type { TextEncoding } from '../../import-profiles/formats/decode-text.ts';
import type { ImportTarget } from '../../import-kinds/import-kind.ts';
import { importKinds } from '../../import-kinds/import-kinds.ts';
import { readImport, importIdsLock } from '../queries/imports.ts';
import { readProfile } from '../../import-profiles/read-profile.ts';
import { planImport } from '../plan-import.ts';
import { createRequestTarget } from '../require-import.ts';
import { defaultSource } from '../../import-profiles/rules/default-profile.ts';
import type { MissingAction } from '../rules/import-states.ts';
import type { ImportKindName } from '../../import-kinds/rules/kind-names.ts';
import type { Import } from '../schemas.ts';

type CreateImportInput = {
  readonly kind: ImportKindName;
  readonly bankKid?: BankKey;
  readonly profile?: string;
  readonly format?: 'csv' | 'json-lines';
  readonly encoding?: TextEncoding;
  readonly separator?: CsvSeparator;
  readonly missing: MissingAction;
  readonly file: AsyncIterable<Uint8Array>;
};

export async function createImport(
  context: ManagerContext,
  { kind: name, bankKid, profile: profileName, missing, file, ...options }: CreateImportInput,
  { databases }: { readonly databases: Databases },
): Promise<Import> {
  const kind = importKinds[name];
  if (missing === 'deactivate' && kind.isDeactivatable !== true)
    throw createFieldProblem('query.missing', `must be keep: ${name} cannot be deactivated`);
  const createTarget = (scope: Scope): ImportTarget => createRequestTarget(kind, context, scope, bankKid);
  createTarget(context.scope);
  const profile =
    profileName === undefined ? undefined : await context.read((db) => readProfile(db, profileName, kind));
  const actor = createManagerAuditContext(context);
  const source = profileName ?? defaultSource;
  const begun = await context.write({
    grant: createTarget,
    locks: () => [importIdsLock()],
    requireObject: async (db, target) => {
      if (kind.belongsTo === 'bank') await requireBank(db, target.bank);
      return target;
    },
    work: async (db, target, [importId]) => {
      await beginImport(db, actor, { importId, kind, target, source, missing });
      return { importId, target };
    },
  });
  const { importId, target } = begun as { readonly importId: number; readonly target: ImportTarget };
  const database = databases.forTenant(context.tenant.name);
  const plan = { database, importId, kind, target, source, missing, actor, file };
  await planImport({ ...plan, options: { ...options, ...(profile === undefined ? {} : { profile }) } });
  return toImport(context.tenant.name, await context.read((db) => readImport(db, importId)));
}

/** The path at which the import is read. */
export const locationOfImport = ({ kid }: Pick<Import, 'kid'>): string => `/api/v1/imports/${kid}`;
