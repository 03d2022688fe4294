// Imports and exports data from the command line: `import KIND`, `import apply`, `import undo`, `import template`, `export`.

import { createReadStream } from 'node:fs';
import type { Config } from '../../config.ts';
import {
  applyByOperator,
  listByOperator,
  planByOperator,
  readByOperator,
  undoByOperator,
  type OperatorImports,
} from '../../features/imports/commands/import-by-operator.ts';
import { exportByOperator } from '../../features/imports/commands/export-by-operator.ts';
import { importKinds } from '../../features/import-kinds/import-kinds.ts';
import type { RowAction, RowOutcome } from '../../features/imports/rules/import-states.ts';
import type { ImportKindName } from '../../features/import-kinds/rules/kind-names.ts';
import { formatTemplate } from '../../features/import-profiles/rules/template.ts';
import type { Import, ImportRow } from '../../features/imports/schemas.ts';
import { formatBankKid, parseKid } from '../../lib/kid.ts';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import { Problem } from '../../lib/problem.ts';
import { CommandError } from '../command-error.ts';
import { createProgress } from './import-progress.ts';
import { selectBankId } from '../select-banks.ts';
import { selectTenant } from '../select-tenants.ts';
import { withTenant } from '../storage-failures.ts';

type TenantOptions = { readonly tenant: string; readonly json?: boolean };

type ApplyOptions = TenantOptions & { readonly partial?: boolean; readonly expectMissing?: number };

type ImportFileOptions = ApplyOptions & {
  readonly bank?: string;
  readonly apply?: boolean;
  readonly profile?: string;
  readonly missing: 'keep' | 'deactivate';
};

type ExportOptions = { readonly tenant: string; readonly bank?: string };

export const importFileOf =
  (kind: ImportKindName) =>
  (config: Config, path: string, options: ImportFileOptions): Promise<void> =>
    importFile(config, { kind, path }, options);

async function importFile(
  config: Config,
  { kind, path }: { readonly kind: ImportKindName; readonly path: string },
  options: ImportFileOptions,
): Promise<void> {
  const bankId = selectKindBank(kind, options);
  await withImports(config, { ...options, object: nameBank(options, bankId) }, async (operator) => {
    const file = path === '-' ? process.stdin : createReadStream(path);
    const { profile, missing } = options;
    const planned = await planByOperator(operator, { kind, bankId, profile, missing, options: {}, file }).catch(
      (error: unknown) => {
        const { code, syscall } = error as NodeJS.ErrnoException;
        throw syscall === 'open' || syscall === 'read' ? new CommandError(`cannot read ${path}: ${code}`) : error;
      },
    );
    await report(operator, planned, { action: 'refused' }, options);
    if (planned.state !== 'planned') throw new CommandError('nothing was imported', 1);
    const { create, update, missing: lacking, refused } = planned.counts;
    if (options.apply === true && create + update + lacking > 0) await applyPlan(operator, planned, options);
    else if (refused > 0) throw new CommandError(`refused: ${formatRowCount(refused)}`, 1);
  });
}

export async function applyImportByCommand(config: Config, kid: string, options: ApplyOptions): Promise<void> {
  await withImports(config, { ...options, object: `import ${kid}` }, async (operator) => {
    await applyPlan(operator, await readByOperator(operator, parseImportId(kid, options.tenant)), options);
  });
}

async function applyPlan(operator: OperatorImports, { kid }: Import, options: ApplyOptions): Promise<void> {
  const importId = parseImportId(kid, options.tenant);
  const { partial: allowPartial = false, expectMissing: expectedMissing } = options;
  const progress = createProgress(operator, importId, options);
  const applied = await applyByOperator(operator, importId, { allowPartial, expectedMissing }).finally(progress.end);
  await report(operator, applied, { outcome: 'stale' }, options);
  if (applied.kind === 'banks' && options.json !== true) await printCreatedBanks(operator, importId);
  for await (const row of listByOperator(operator, importId, { outcome: 'failed' })) printRow(row, options);
  const { stale, failed } = applied.outcomes;
  if (stale + failed > 0) throw new CommandError(`not applied: ${formatRowCount(stale + failed)}`, 1);
}

/** Every later import names its bank. */
async function printCreatedBanks(operator: OperatorImports, importId: number): Promise<void> {
  let printed = 0;
  for await (const { line, action, objectKid } of listByOperator(operator, importId, { outcome: 'applied' })) {
    if (action !== 'create' || objectKid === null) continue;
    process.stdout.write(`line ${line}: ${objectKid}\n`);
    printed += 1;
    if (printed === maxPrintedRows) break;
  }
}

export async function undoImportByCommand(config: Config, kid: string, options: TenantOptions): Promise<void> {
  await withImports(config, { ...options, object: `import ${kid}` }, async (operator) => {
    const importId = parseImportId(kid, options.tenant);
    const progress = createProgress(operator, importId, options);
    const undone = await undoByOperator(operator, importId).finally(progress.end);
    await report(operator, undone, { outcome: 'kept' }, options);
    if (undone.outcomes.kept > 0) throw new CommandError(`not undone: ${formatRowCount(undone.outcomes.kept)}`, 1);
  });
}

export function printTemplate(
  config: Config,
  kind: ImportKindName,
  { tenant: name }: { readonly tenant?: string },
): void {
  const country = name === undefined ? 'DK' : selectTenant(config.tenants, name).country;
  process.stdout.write(formatTemplate(importKinds[kind], country));
}

export async function exportKind(config: Config, kind: ImportKindName, options: ExportOptions): Promise<void> {
  const bankId = selectKindBank(kind, options);
  await withImports(config, { ...options, object: nameBank(options, bankId) }, (operator) =>
    exportByOperator(operator, { kind, bankId }, (text) => writeOut(text)),
  );
}

const writeOut = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** 0 for a kind that belongs to no bank. */
function selectKindBank(
  kind: ImportKindName,
  { tenant, bank }: { readonly tenant: string; readonly bank?: string },
): number {
  const isOfBank = importKinds[kind].belongsTo === 'bank';
  if (isOfBank && bank === undefined) throw new CommandError(`--bank is missing: ${kind} belong to a bank`);
  if (!isOfBank && bank !== undefined) throw new CommandError(`--bank must be left out: ${kind} belong to no bank`);
  return bank === undefined ? 0 : selectBankId(tenant, bank);
}

const nameBank = ({ tenant }: { readonly tenant: string }, bankId: number): string =>
  `bank ${formatBankKid(tenant, bankId)}`;

function parseImportId(kid: string, tenant: string): number {
  const parsed = parseKid(kid, tenant, ['import']);
  if (parsed === undefined) throw new CommandError(`${kid}: expected the KID of an import, such as ${tenant}-F1`);
  return parsed.importId;
}

/** `object` is what the command is about, for when there is no such thing. */
export async function withImports(
  config: Config,
  { tenant: tenantName, object }: { readonly tenant: string; readonly object: string },
  work: (operator: OperatorImports) => Promise<void>,
): Promise<void> {
  const tenant = selectTenant(config.tenants, tenantName);
  const clock = (): number => toMs2000(Date.now());
  try {
    await withTenant(config, tenant.name, (database) => work({ database, tenant, clock }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'not-found') throw new CommandError(`there is no ${object}`);
    const [first] = error.details.errors ?? [];
    throw new CommandError(
      first === undefined ? error.message : `${first.path.replace('query.', '--')} ${first.message}`,
      1,
    );
  }
}

const formatRowCount = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

/** A person reads so many rows. With --json all of them are printed. */
const maxPrintedRows = 100;

async function report(
  operator: OperatorImports,
  imported: Import,
  selection: { readonly action?: RowAction; readonly outcome?: RowOutcome },
  { tenant, json = false }: TenantOptions,
): Promise<void> {
  if (json) process.stdout.write(`${JSON.stringify(imported)}\n`);
  else process.stdout.write(`${formatImport(imported)}\n`);
  let printed = 0;
  for await (const row of listByOperator(operator, parseImportId(imported.kid, tenant), selection)) {
    if (!json && printed >= maxPrintedRows) break;
    printRow(row, { json });
    printed += 1;
  }
}

function formatImport({ kid, kind, state, counts, outcomes, failure }: Import): string {
  const done = state === 'planned' || state === 'planning' ? counts : outcomes;
  const parts = Object.entries(done).filter(([name, count]) => count > 0 || name === 'create' || name === 'applied');
  const numbers = parts.map(([name, count]) => `${count} ${name}`).join(', ');
  const where = failure === null || failure.line === 0 ? '' : `line ${failure.line}: `;
  return `${kid} ${kind} ${state}: ${numbers}${failure === null ? '' : `\n${where}${failure.text} (${failure.code})`}`;
}

function printRow(row: ImportRow, { json = false }: { readonly json?: boolean }): void {
  if (json) process.stdout.write(`${JSON.stringify(row)}\n`);
  else for (const { code, text } of row.errors) process.stdout.write(`line ${row.line}: ${text} (${code})\n`);
}
