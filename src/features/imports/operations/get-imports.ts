// GetImports: lists the imports of the banks, and of the tenant, that the manager is granted as a whole, the newest first.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { openPage } from '../../../http/pagination/open-page.ts';
import type { PageQuery } from '../../../http/schemas/list-schemas.ts';
import { toPage } from '../../../lib/values/paging.ts';
import type { BankKey } from '../../../permissions/coverage.ts';
import { toImport } from '../answers.ts';
import { listImports, type ImportPosition } from '../queries/imports.ts';

type GetImportsInput = PageQuery & { readonly bankKid?: BankKey };

/** They say how many rows there are, and nothing of what is in them. */
export async function getImports(context: ManagerContext, { bankKid, ...query }: GetImportsInput) {
  const request = await openPage<ImportPosition>(context, query);
  const selection = { ...request, bankId: bankKid?.bankId };
  return context.read(async (db) => {
    const page = toPage(await listImports(db, context.scope, selection), request, ({ import_id }) => [import_id]);
    return { ...page, items: page.items.map((row) => toImport(context.tenant.name, row)) };
  });
}
