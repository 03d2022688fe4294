// ExportData: streams all objects of a kind as the CSV that an import reads.

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Db } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { Download } from '../../../http/representations/results.ts';
import type { CsvReader } from '../../../lib/text/csv.ts';
import type { BankKey } from '../../../permissions/coverage.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { requireBank } from '../../places/require-place.ts';
import { importKinds } from '../../import-kinds/import-kinds.ts';
import type { Source } from '../resolve-rows.ts';
import { readExportedRows } from '../read-exported-rows.ts';
import { ownerLock, ownerOf, recordDataExport } from '../record-import.ts';
import { createRequestTarget } from '../require-import.ts';
import { defaultSource } from '../../import-profiles/rules/default-profile.ts';
import { createExportFormat } from '../../import-profiles/rules/export-format.ts';
import type { ImportKindName } from '../../import-kinds/rules/kind-names.ts';

type ExportDataInput = {
  readonly kind: ImportKindName;
  readonly bankKid?: BankKey;
  readonly for: CsvReader;
};

export function exportData(context: ManagerContext, { kind: name, bankKid, for: reader }: ExportDataInput): Download {
  const kind = importKinds[name];
  const target = createRequestTarget(kind, context, context.scope, bankKid);
  const source = { kind, target, source: defaultSource };
  return {
    mediaType: 'text/csv; charset=utf-8',
    fileName: `${ownerOf(source).object}-${name}.csv`,
    content: streamRows(context, source, reader),
  };
}

/** How many texts wait for a client, of some tens of kilobytes each. */
const waitingTexts = 2;

/** The rows are of one snapshot, which a slow client keeps open until the deadline of the operation. */
async function* streamRows(context: ManagerContext, source: Source, reader: CsvReader): AsyncGenerator<string> {
  const { kind, target } = source;
  // Texts, which the response encodes.
  const file = new PassThrough({ objectMode: true, highWaterMark: waitingTexts });
  const ending = new AbortController();
  // The iteration below throws the error of the stream.
  file.on('error', () => {});
  const write = async (db: Db): Promise<void> => {
    if (kind.belongsTo === 'bank') await requireBank(db, target.bank);
    await context.writeBesideReads(async (audited) => {
      await takeLocks(audited, [ownerLock(ownerOf(source))]);
      await recordDataExport(audited, createManagerAuditContext(context), source);
    });
    const { header, formatRows } = createExportFormat(kind, reader);
    file.write(header);
    for await (const rows of readExportedRows(db, source))
      for (const text of formatRows(rows)) if (!file.write(text)) await once(file, 'drain', ending);
  };
  context.readForDownload(write).then(
    () => file.end(),
    (error: Error) => file.destroy(error),
  );
  try {
    yield* file;
  } finally {
    // The client may have gone: the rows are read no further.
    ending.abort();
    file.destroy();
  }
}
