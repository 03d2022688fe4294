// SendUnitCommand: queues a command for the device of a unit. It is sent when it stands in an answer to the computer, and
// done when the device says so.

import type { Static } from 'typebox';
import type { UnitParams } from '../../units/schemas.ts';
import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { formatBankKid, formatLocationKid, formatUnitKid } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredUnit, type GrantedUnit } from '../../../permissions/coverage.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock, queueSync } from '../../outbox/queries/outbox.ts';
import { requireUnit } from '../../places/require-place.ts';
import { typeCodeOf } from '../../places/rules/unit-types.ts';
import { toUnitCommand } from '../answers.ts';
import { getUnitCommand, insertUnitCommand } from '../queries/unit-commands.ts';
import { commandsOf } from '../../units/rules/command-catalogue.ts';
import type { UnitCommand, NewUnitCommand } from '../schemas.ts';

type SendUnitCommandInput = Static<typeof UnitParams> & Static<typeof NewUnitCommand>;

const defaultTtlSeconds = 300;

export function sendUnitCommand(
  context: ManagerContext,
  { unitKid, name, ttlSeconds = defaultTtlSeconds }: SendUnitCommandInput,
): Promise<WriteAnswer<UnitCommand>> {
  return context.write({
    grant: (scope) => requireCoveredUnit(scope, unitKid),
    locks: (unit) => [outboxLock(unit)],
    requireObject: async (db, unit) => ({ unit, row: await requireUnit(db, unit) }),
    work: async (db, { unit, row }) => {
      if (!commandsOf(typeCodeOf(row)).includes(name)) throw new Problem('command-not-supported');
      return queueCommand(db, context, unit, { name, ttlSeconds });
    },
  });
}

async function queueCommand(
  db: WriteDb,
  context: ManagerContext,
  unit: GrantedUnit,
  { name, ttlSeconds }: Required<Pick<SendUnitCommandInput, 'name' | 'ttlSeconds'>>,
): Promise<UnitCommand> {
  const { now, principal } = context;
  const { tenant, bankId, locationId, unitId } = unit;
  // The command has the id of its record.
  const commandId = await queueSync(db, unit, { subjectKind: 'command', subjectId: 'own-id', locationId, unitId }, now);
  await insertUnitCommand(db, {
    bank_id: bankId,
    command_id: commandId,
    location_id: locationId,
    unit_id: unitId,
    name,
    created_at: now,
    created_by: principal.id,
    expires_at: now + ttlSeconds * 1000,
    sync_id: commandId,
    finished_at: null,
    succeeded: null,
    result_code: null,
  });
  await appendAudit(db, createManagerAuditContext(context), {
    object: formatUnitKid(formatLocationKid(formatBankKid(tenant, bankId), locationId), unitId),
    bankId,
    before: null,
    after: { command: name, ttlSeconds },
  });
  return toUnitCommand(await getUnitCommand(db, unit, commandId), context);
}
