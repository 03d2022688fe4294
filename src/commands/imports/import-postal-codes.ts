// `import postal-codes`: loads the cities of postal codes from a file of GeoNames into the tenants' databases. A file with
// a wrong line changes nothing.

import type { Config } from '../../config.ts';
import { takeLocks } from '../../database/locks.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import { appendAudit, tenantAuditLock } from '../../features/audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../features/audit/rules/audit-context.ts';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import { hasPostalRule } from '../../lib/text/postal-code.ts';
import { readPostalFile, type PostalFile } from '../../providers/geocoding/geonames-file.ts';
import {
  beginPostalImport,
  deleteOtherPostalCodes,
  finishPostalImport,
  insertPostalCities,
  type PostalCity,
} from '../../providers/geocoding/queries/postal-codes.ts';
import type { Tenant } from '../../tenants.ts';
import { CommandError } from '../command-error.ts';
import { selectTenants } from '../select-tenants.ts';
import { runForEachTenant } from '../storage-failures.ts';

type ImportPostalCodesOptions = { readonly tenant?: string[] };

const deadlineMs = 60_000;
const batchSize = 5000;
const progressIntervalMs = 5000;

export async function importPostalCodes(
  config: Config,
  path: string,
  { tenant: names }: ImportPostalCodesOptions,
): Promise<void> {
  const tenants = selectTenants(config, names).filter(({ country }) => hasPostalRule(country));
  const file = await readFile(path, tenants);
  const chosen = tenants.filter(({ country }) => file.citiesByCountry.has(country));
  await runForEachTenant(config, chosen, async ({ name, country }, database) => {
    const cities = file.citiesByCountry.get(country) ?? [];
    await replacePostalCodes(database, { tenant: name, country, cities }, createProgress(name, cities.length));
    const ambiguous = cities.filter(({ city }) => city === null).length;
    process.stdout.write(`${name}: ${cities.length} postal codes of ${country}, ${ambiguous} of several places\n`);
  });
  if (file.otherCount > 0) process.stdout.write(`${file.otherCount} lines of other countries were left out\n`);
}

/** Throws CommandError where the file has a wrong line, or nothing for any tenant. */
async function readFile(path: string, tenants: readonly Tenant[]): Promise<PostalFile> {
  const countries = new Set(tenants.map(({ country }) => country));
  const file = await readPostalFile(path, countries).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new CommandError(`cannot read ${path}: ${code}`);
  });
  if (file.wrongLines.length > 0)
    throw new CommandError(`${path}: ${file.wrongLines.join('; ')}. Nothing was imported`);
  if (file.citiesByCountry.size === 0)
    throw new CommandError(`${path} has no postal codes of ${[...countries].join(', ') || 'any tenant’s country'}`);
  return file;
}

type CountryCities = {
  readonly tenant: string;
  readonly country: string;
  readonly cities: readonly PostalCity[];
};

/** Until the last step, the import before is read. */
async function replacePostalCodes(
  database: TenantDatabase,
  { tenant, country, cities }: CountryCities,
  onProgress: (written: number) => void,
): Promise<void> {
  const importId = await database.write({ deadlineMs }, (db) => beginPostalImport(db, country));
  const deleteOthers = async (): Promise<void> => {
    const deleteSome = (): Promise<boolean> =>
      database.write({ deadlineMs }, (db) => deleteOtherPostalCodes(db, country, importId, batchSize));
    while (await deleteSome());
  };
  // Deletes what an interrupted import left.
  await deleteOthers();
  for (let from = 0; from < cities.length; from += batchSize) {
    const batch = cities.slice(from, from + batchSize);
    await database.write({ deadlineMs }, (db) => insertPostalCities(db, country, importId, batch));
    onProgress(from + batch.length);
  }
  await database.write({ deadlineMs }, async (db) => {
    await takeLocks(db, [tenantAuditLock()]);
    if (!(await finishPostalImport(db, country, importId, cities.length)))
      throw new CommandError('another import of the same country runs at the same time: import again', 1);
    await appendAudit(
      db,
      createOperatorAuditContext('import postal-codes', () => toMs2000(Date.now())),
      {
        object: tenant,
        before: null,
        after: { country, postalCodes: cities.length },
      },
    );
  });
  await deleteOthers();
}

function createProgress(tenant: string, total: number): (written: number) => void {
  let shownAtMs = performance.now();
  return (written) => {
    if (performance.now() - shownAtMs < progressIntervalMs) return;
    shownAtMs = performance.now();
    process.stderr.write(`${tenant}: ${written} of ${total} postal codes\n`);
  };
}
