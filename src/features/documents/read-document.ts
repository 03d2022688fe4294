// Reads a document for one manager: its head, which describes unit, period and columns, and its samples.

import type { Db } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { formatBankKid, formatDocumentKid, formatLocationKid, formatUnitKid, type KidOf } from '../../lib/kid.ts';
import { localiseName } from '../../lib/text/language.ts';
import { Problem } from '../../lib/problem.ts';
import { computeDeletedSince } from '../../lib/time/retention-cutoff.ts';
import { requireCoveredUnit } from '../../permissions/coverage.ts';
import type { VisibleUnitRow } from '../places/queries/visible-places.ts';
import { requireRetainedUnit } from '../places/require-place.ts';
import { contactBounds, contactStatusOf } from '../places/rules/contact-status.ts';
import { resolveLocationTimeZone, type TenantRegion } from '../places/rules/location-time-zone.ts';
import { findDocument, listCycles, type GrantedDocument, type StoredDocument } from './queries/document-cycles.ts';
import { listPackedSamples, listSeriesIds, listSettingSamples, readSampleTotals } from './queries/document-samples.ts';
import { collectSamples } from './rules/collect-samples.ts';
import { createDocumentBounds, cycleSetting } from './rules/document-bounds.ts';
import { checkHeadSize } from './rules/document-limits.ts';
import type { DocumentHead, DocumentSamples } from './rules/document-table.ts';
import { requireKnownType, selectColumns, type FieldSelection } from './rules/field-selection.ts';
import { checkSampleTotals } from './rules/sample-totals.ts';

export type DocumentRequest = {
  readonly document: GrantedDocument;
  /** Units that were deleted before, or whose location was, are hidden; MS2000. */
  readonly deletedSince: number;
  readonly selection: FieldSelection;
  readonly region: TenantRegion;
  /** MS2000. */
  readonly now: number;
};

/** Throws 404 if the grants do not cover the unit, whether or not the document exists. */
export const createDocumentRequest = (
  { scope, tenant, now }: ManagerContext,
  documentKid: KidOf<'document'>,
  selection: FieldSelection,
): DocumentRequest => ({
  document: { ...requireCoveredUnit(scope, documentKid), documentId: documentKid.documentId },
  deletedSince: computeDeletedSince(scope.retentionDays, now),
  selection,
  region: tenant,
  now,
});

export type VersionedHead = {
  readonly head: DocumentHead;
  /** Changes when the samples of a finished document change. */
  readonly samplesVersion: number;
};

/** The stored state of a document and its unit, without samples. It is the same for every manager who sees the unit. */
export type DocumentState = {
  readonly unit: VisibleUnitRow;
  readonly stored: StoredDocument;
  /** Changes when anything changes that a finished document shows. */
  readonly version: string;
};

/** Throws 404 if the document does not exist or is not visible. */
export async function readDocumentState(
  db: Db,
  { document, deletedSince }: Pick<DocumentRequest, 'document' | 'deletedSince'>,
): Promise<DocumentState> {
  const [unit, stored] = await Promise.all([
    requireRetainedUnit(db, document, deletedSince),
    findDocument(db, document),
  ]);
  if (stored === undefined) throw new Problem('not-found');
  const { name, location_name, time_zone, unit_type, packed_type } = unit;
  const { firstAt, lastAt } = stored;
  const { finished } = createDocumentBounds(stored);
  const version = JSON.stringify([
    [name, location_name, time_zone, unit_type, String(packed_type)],
    [firstAt, lastAt, finished, stored.lateWrites],
  ]);
  return { unit, stored, version };
}

/** Throws a Problem if the document cannot be rendered with these fields. */
export function createHead(request: DocumentRequest, { unit, stored }: DocumentState): VersionedHead {
  const head = formatHead(request, unit, stored);
  checkHeadSize(head);
  return { head, samplesVersion: stored.lateWrites };
}

export type ReadDocument = VersionedHead & { readonly samples: DocumentSamples };

export async function readDocument(db: Db, request: DocumentRequest): Promise<ReadDocument> {
  const [state, seriesIds] = await Promise.all([readDocumentState(db, request), listSeriesIds(db, request.document)]);
  const versioned = createHead(request, state);
  return { ...versioned, samples: await readSamples(db, request.document, versioned.head, seriesIds) };
}

async function readSamples(
  db: Db,
  document: GrantedDocument,
  { columns, fromMs2000, throughMs2000 }: DocumentHead,
  seriesIdsByName: ReadonlyMap<string, number>,
): Promise<DocumentSamples> {
  const interval = { fromMs2000, throughMs2000 };
  const seriesNames = new Map(
    columns.flatMap(({ name, kind }) => {
      const seriesId = kind === 'State' ? seriesIdsByName.get(name) : undefined;
      return seriesId === undefined ? [] : [[seriesId, name] as const];
    }),
  );
  const seriesIds = [...seriesNames.keys()];
  const names = columns.filter(({ kind }) => kind === 'Setting').map(({ name }) => name);
  const [totals, settings, cycles] = await Promise.all([
    readSampleTotals(db, seriesIds, interval),
    listSettingSamples(db, document, { names: names.filter((name) => name !== cycleSetting), ...interval }),
    names.includes(cycleSetting) ? listCycles(db, document) : [],
  ]);
  checkSampleTotals(totals);
  const packedStates = await listPackedSamples(db, seriesIds, interval);
  const ownCycles = cycles.map((cycle) => ({ ...cycle, name: cycleSetting }));
  return collectSamples({ columns, fromMs2000, packedStates, seriesNames, settings: [...settings, ...ownCycles] });
}

/** The last contact of a unit that is not online; what it reported is a contact too. */
function findSilence({ last_contact_at, bank_type }: VisibleUnitRow, syncedAt: number | null, now: number) {
  const contacts = [last_contact_at, syncedAt].filter((instant) => instant !== null);
  if (contacts.length === 0) return null;
  const last = Math.max(...contacts);
  return contactStatusOf(last, contactBounds(bank_type, now)) === 'Online' ? null : last;
}

function formatHead(
  { document, selection, region, now }: DocumentRequest,
  unit: VisibleUnitRow,
  stored: StoredDocument,
): DocumentHead {
  const { tenant, bankId, locationId, unitId, documentId } = document;
  const bounds = createDocumentBounds(stored);
  const unitKid = formatUnitKid(formatLocationKid(formatBankKid(tenant, bankId), locationId), unitId);
  return {
    documentKid: formatDocumentKid(unitKid, documentId),
    unitKid,
    // Documents are in English, whatever the language of the request is.
    unitName: localiseName(unit.name, 'en'),
    unitType: requireKnownType(unit),
    locationName: unit.location_name,
    timeZone: resolveLocationTimeZone(unit.time_zone, region),
    ...bounds,
    silentSinceMs2000: bounds.finished ? null : findSilence(unit, stored.syncedAt, now),
    columns: selectColumns(unit, selection),
  };
}
