// What managers and operators do to computers: create them, give them a new code, revoke them. Each step runs in the
// transaction of the caller, who has taken the locks, and appends to the audit log.

import { randomBytes } from 'node:crypto';
import type { WriteDb } from '../../database/db.ts';
import { orDuplicateProblem } from '../../database/duplicate-problem.ts';
import { createFieldsProblem } from '../../lib/values/field-problem.ts';
import {
  formatBankKid,
  formatComputerKid,
  formatKid,
  formatUnitKid,
  formatLocationKid,
  type KidOf,
} from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import type { Environment } from '../../permissions/scope.ts';
import { appendAudit, type AuditRecord } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { withoutValues } from '../audit/rules/recorded-values.ts';
import {
  connectUnits,
  insertComputer,
  listConnectedUnits,
  replaceCode,
  revokeComputerRow,
  type ConnectedUnit,
  type NewCode,
} from './queries/write-computer.ts';
import type { FoundComputer } from './require-computer.ts';
import { unknownUnitReason } from './rules/computer-fields.ts';
import {
  enrolmentCodeBytes,
  enrolmentLifetimeMs,
  formatEnrolmentCode,
  hashEnrolmentCode,
} from './rules/enrolment-code.ts';

export type IssuedCode = {
  readonly code: string;
  /** MS2000. */
  readonly expiresAt: number;
};

export type ComputerDraft = {
  readonly name: string;
  readonly units: readonly KidOf<'unit'>[];
  /** The environment in which the code can be used. */
  readonly environment: Environment;
};

export type CreatedComputer = IssuedCode & { readonly computerId: number };

/** `computerId` is the result of the lock of the bank's computers. */
export async function createComputerWithCode(
  db: WriteDb,
  actor: AuditContext,
  { bank, computerId }: { readonly bank: WholeGrantedBank; readonly computerId: number },
  { name, units, environment }: ComputerDraft,
): Promise<CreatedComputer> {
  if (units.length > 0) requireFreeUnits(bank, units, await listConnectedUnits(db, bank, units));
  const issued = issueCode(actor.now);
  const code = toStoredCode(issued, environment);
  await orDuplicateProblem(db, 'computer-name-taken', () =>
    insertComputer(db, bank, { computerId, name, code, now: actor.now }),
  );
  await connectUnits(db, bank, name, units);
  await recordChange(db, actor, { bank, computerId }, null, {
    name,
    unitKids: units.map(formatKid),
    ...recordCode(environment),
  });
  return { computerId, ...issued };
}

function requireFreeUnits(
  bank: WholeGrantedBank,
  units: readonly KidOf<'unit'>[],
  found: readonly ConnectedUnit[],
): void {
  const keyOf = (locationId: number, unitId: number): string => `${locationId}-${unitId}`;
  const known = new Set(found.map(({ location_id, unit_id }) => keyOf(location_id, unit_id)));
  const errors = units.flatMap(({ bankId, locationId, unitId }, index) =>
    bankId === bank.bankId && known.has(keyOf(locationId, unitId))
      ? []
      : [{ path: `body.unitKids.${index}`, message: unknownUnitReason }],
  );
  if (errors.length > 0) throw createFieldsProblem(errors, 'invalid-request');
  const taken = found.find(({ owner }) => owner !== null);
  if (taken === undefined) return;
  const locationKid = formatLocationKid(formatBankKid(bank.tenant, bank.bankId), taken.location_id);
  throw new Problem('unit-has-computer', {
    detail: `${formatUnitKid(locationKid, taken.unit_id)} is connected through ${taken.owner}.`,
  });
}

/** A computer that is enrolled keeps its key until the new code is used. */
export async function renewCode(
  db: WriteDb,
  actor: AuditContext,
  { bank, row }: FoundComputer<WholeGrantedBank>,
  environment: Environment,
): Promise<IssuedCode> {
  if (row.revoked_at !== null) throw new Problem('computer-revoked');
  const issued = issueCode(actor.now);
  const computerId = row.computer_id;
  await replaceCode(db, { bankId: bank.bankId, computerId }, toStoredCode(issued, environment));
  await recordChange(db, actor, { bank, computerId }, null, recordCode(environment));
  return issued;
}

/** False if it was revoked before, and nothing has changed. */
export async function revoke(
  db: WriteDb,
  actor: AuditContext,
  { bank, row }: FoundComputer<WholeGrantedBank>,
): Promise<boolean> {
  if (row.revoked_at !== null) return false;
  const computerId = row.computer_id;
  await revokeComputerRow(db, { bankId: bank.bankId, computerId }, actor.now);
  await recordChange(db, actor, { bank, computerId }, { revoked: false }, { revoked: true });
  return true;
}

const issueCode = (now: number): IssuedCode => ({
  code: formatEnrolmentCode(randomBytes(enrolmentCodeBytes)),
  expiresAt: now + enrolmentLifetimeMs,
});

const toStoredCode = ({ code, expiresAt }: IssuedCode, environment: Environment): NewCode => ({
  hash: hashEnrolmentCode(code),
  expiresAt,
  environment,
});

/** The code is a secret. */
const recordCode = (environment: Environment) => ({
  ...withoutValues(['enrolmentCode']),
  enrolmentEnvironment: environment,
});

function recordChange(
  db: WriteDb,
  actor: AuditContext,
  { bank: { tenant, bankId }, computerId }: { readonly bank: WholeGrantedBank; readonly computerId: number },
  before: AuditRecord['before'],
  after: AuditRecord['after'],
): Promise<void> {
  const object = formatComputerKid(formatBankKid(tenant, bankId), computerId);
  return appendAudit(db, actor, { object, bankId, before, after });
}
