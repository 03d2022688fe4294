// Reports samples and Cycles for units, and searches and reads documents over HTTP.

import {
  recordReports,
  type StateSample,
  type TaggedCycle,
  type UnitReport,
} from '../../../src/features/documents/queries/record-report.ts';
import { requireCoveredUnit, type UnitKey } from '../../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../../src/permissions/scope.ts';
import type { HttpReply } from '../../support/call.ts';
import type { TestService } from '../../support/service.ts';

export type TestUnit = UnitKey;

export const unitAt = (bankId: number, locationId: number, unitId: number): TestUnit => ({
  bankId,
  locationId,
  unitId,
});

export const unitKidOf = ({ bankId, locationId, unitId }: TestUnit): string =>
  `sund-B${bankId}-L${locationId}-U${unitId}`;

export const documentKidOf = (unit: TestUnit, documentId: number | bigint): string =>
  `${unitKidOf(unit)}-D${documentId}`;

export const report = (
  service: Pick<TestService, 'write'>,
  key: TestUnit,
  sent: Partial<UnitReport>,
): Promise<void> => {
  const unit = requireCoveredUnit(createOperatorScope('sund'), key);
  return service.write('sund', (db) =>
    recordReports(db, [{ unit, report: { samples: [], cycles: [], syncedThrough: 0, ...sent } }]),
  );
};

/** Cycles of one document at these times; the last one is terminal by default. */
export const cyclesAt = (
  documentId: number | bigint,
  times: readonly number[],
  { ends = true }: { readonly ends?: boolean } = {},
): TaggedCycle[] =>
  times.map((at, index) => {
    const isLast = index === times.length - 1;
    return { documentId, at, value: isLast && ends ? 'End' : index === 0 ? 'Start' : 'Wash' };
  });

/** Samples of one state at these times. */
export const samplesOf = (
  name: string,
  values: readonly (readonly [at: number, value: string | null])[],
): StateSample[] => values.map(([at, value]) => ({ name, at, value }));

export const searchPath = (bankId: number, query: Readonly<Record<string, string | number>> = {}): string => {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return `/api/v1/banks/sund-B${bankId}/documents${search.size === 0 ? '' : `?${search.toString()}`}`;
};

export const formatPaths = ['table', 'table.html', 'table.csv', 'table.xls', 'graph.svg'] as const;
export type FormatPath = (typeof formatPaths)[number];

export const documentPath = (kid: string, format: FormatPath = 'table', query = ''): string =>
  `/api/v1/documents/${kid}/${format}${query === '' ? '' : `?${query}`}`;

export const summarize = ({ status, json }: HttpReply): string => `${status} ${json?.code}`;
