// Works on the computers of a bank from the command line: `computer create`, `computer list` and `computer revoke`.

import type { Config } from '../../config.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import {
  createComputerByOperator,
  listComputersForOperator,
  revokeComputerByOperator,
} from '../../features/computers/commands/manage-computers.ts';
import { maxUnits, parseComputerName, parseUnit } from '../../features/computers/rules/computer-fields.ts';
import type { Computer } from '../../features/computers/schemas.ts';
import { formatBankKid, formatComputerKid, parseKid, type KidOf } from '../../lib/kid.ts';
import { formatUtc, toMs2000 } from '../../lib/time/ms2000.ts';
import { Problem } from '../../lib/problem.ts';
import { requireWholeBank, type WholeGrantedBank } from '../../permissions/coverage.ts';
import { createOperatorScope, type Environment } from '../../permissions/scope.ts';
import { CommandError } from '../command-error.ts';
import { formatColumns, formatTabbedRows } from '../format-table.ts';
import { selectBankId } from '../select-banks.ts';
import { selectTenant } from '../select-tenants.ts';
import { changeTenant } from '../storage-failures.ts';

type ListComputersOptions = { readonly tenant: string; readonly bank: string };
type ComputerOptions = ListComputersOptions & { readonly name: string };
type CreateComputerOptions = ComputerOptions & {
  readonly unit?: readonly string[];
  readonly environment: Environment;
};

const deadlineMs = 10_000;
const clock = (): number => toMs2000(Date.now());

export async function createComputerByCommand(config: Config, options: CreateComputerOptions): Promise<void> {
  const bank = selectBank(config, options);
  const name = parseName(options.name);
  const units = parseUnits(options.unit, bank);
  await withDatabase(config, bank, 'created', async (database) => {
    const computer = { name, units, environment: options.environment };
    const created = await createComputerByOperator(database, { bank, clock, deadlineMs }, computer).catch(
      (error: unknown) => {
        throw toCreateError(error, options, bank);
      },
    );
    const kid = formatComputerKid(formatBankKid(bank.tenant, bank.bankId), created.computerId);
    process.stdout.write(formatTabbedRows([[kid, created.code, formatUtc(created.expiresAt)]]));
  });
}

const headings = ['KID', 'NAME', 'STATE', 'UNITS', 'SOFTWARE', 'LAST CONTACT', 'TO SEND', 'HELD'];
const pageSize = 200;

export async function printComputers(config: Config, options: ListComputersOptions): Promise<void> {
  const bank = selectBank(config, options);
  await withDatabase(config, bank, 'listed', async (database) => {
    for (let after = 0, hasMore = true; hasMore;) {
      const slice = { after, limit: pageSize };
      const computers = await database.read({ deadlineMs }, (db) => listComputersForOperator(db, bank, slice));
      const rows = computers.map(toFields);
      process.stdout.write(process.stdout.isTTY ? formatColumns(headings, rows, after === 0) : formatTabbedRows(rows));
      hasMore = computers.length === pageSize;
      after = parseKid(computers.at(-1)?.kid ?? '', bank.tenant, ['computer'])?.computerId ?? after;
    }
  });
}

const toFields = ({ kid, name, state, units, software, lastContactUtc, buffered, streams }: Computer): string[] => [
  kid,
  name,
  state,
  String(units.length),
  software === '' ? '-' : software,
  lastContactUtc ?? 'never',
  String(buffered),
  String(streams.reduce((sum, { held }) => sum + held, 0)),
];

export async function revokeComputerByCommand(config: Config, options: ComputerOptions): Promise<void> {
  const bank = selectBank(config, options);
  const name = parseName(options.name);
  await withDatabase(config, bank, 'revoked', async (database) => {
    const { kid, wasRevokedBefore } = await revokeComputerByOperator(database, { bank, clock, deadlineMs }, name).catch(
      (error: unknown) => {
        if (!isProblem(error, 'not-found')) throw error;
        throw new CommandError(
          `--name ${name}: ${formatBankKid(bank.tenant, bank.bankId)} has no computer of this name`,
        );
      },
    );
    process.stdout.write(`${kid}: ${wasRevokedBefore ? 'was revoked already; nothing was changed' : 'revoked'}\n`);
  });
}

function selectBank({ tenants }: Config, options: ListComputersOptions): WholeGrantedBank {
  const { name } = selectTenant(tenants, options.tenant);
  const bankId = selectBankId(name, options.bank);
  return requireWholeBank(createOperatorScope(name), { bankId });
}

function parseName(given: string): string {
  const result = parseComputerName(given);
  if ('reason' in result) throw new CommandError(`--name ${result.reason}`);
  return result.value;
}

function parseUnits(given: readonly string[] = [], { tenant }: WholeGrantedBank): KidOf<'unit'>[] {
  const kids = [...new Set(given)];
  if (kids.length > maxUnits) throw new CommandError(`--unit: a computer has at most ${maxUnits} units`);
  return kids.map((kid) => {
    const result = parseUnit(kid, tenant);
    if ('reason' in result) throw new CommandError(`--unit ${kid}: ${result.reason}`);
    return result.value;
  });
}

const isProblem = (error: unknown, code: string): error is Problem => error instanceof Problem && error.code === code;

function toCreateError(error: unknown, { name, unit = [] }: CreateComputerOptions, bank: WholeGrantedBank): unknown {
  if (!(error instanceof Problem)) return error;
  if (error.code === 'computer-name-taken')
    return new CommandError(`--name ${name}: another computer of the bank has this name`, 1);
  if (error.code === 'unit-has-computer') return new CommandError(`--unit: ${error.message}`, 1);
  if (error.code !== 'invalid-request') return error;
  const [first] = error.details.errors ?? [];
  const wrong = [...new Set(unit)][Number(first?.path.split('.').at(-1))] ?? '';
  return new CommandError(`--unit ${wrong}: must be the KID of a unit of ${formatBankKid(bank.tenant, bank.bankId)}`);
}

/** Runs the work, and turns what an operator can do something about into one line. `done` is what the work would have done. */
async function withDatabase(
  config: Config,
  { tenant, bankId }: WholeGrantedBank,
  done: string,
  work: (database: TenantDatabase) => Promise<void>,
): Promise<void> {
  try {
    await changeTenant(config, { tenant, done: `the computer was ${done}` }, work);
  } catch (error) {
    if (isProblem(error, 'not-found'))
      throw new CommandError(`--bank: there is no bank ${formatBankKid(tenant, bankId)}`);
    throw isProblem(error, 'clock-behind') ? new CommandError(`${error.message} Set the clock right.`, 1) : error;
  }
}
