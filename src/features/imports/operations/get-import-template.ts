// GetImportTemplate: returns a file with the columns of a kind and an example.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { PreparedFile } from '../../../http/representations/results.ts';
import { importKinds } from '../../import-kinds/import-kinds.ts';
import type { ImportKindName } from '../../import-kinds/rules/kind-names.ts';
import { formatTemplate } from '../../import-profiles/rules/template.ts';

export function getImportTemplate({ tenant }: ManagerContext, kind: ImportKindName): PreparedFile {
  return {
    body: Buffer.from(formatTemplate(importKinds[kind], tenant.country)),
    mediaType: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="${kind}.csv"` },
  };
}
