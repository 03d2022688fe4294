// Decides what the audit log records of a command on a resident: the field that changed, and its value unless it is
// personal; and whom the history names.

import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { withoutValues, type RecordedValues } from '../../audit/rules/recorded-values.ts';
import { fieldOf, isFieldCommand, isPersonal } from '../../residents/fields.ts';
import type { ResidentCommand } from './allowed-commands.ts';

/** Whom the history of a resident names: only managers are known by an id of theirs. */
export const editorOf = ({ kind, id }: Pick<AuditContext, 'kind' | 'id'>): number | null =>
  kind === 'manager' ? id : null;

type RecordedChanges = { readonly before: RecordedValues | null; readonly after: RecordedValues };

const recordsNoValue = (field: string, command: ResidentCommand): RecordedChanges => ({
  before: null,
  after: { command, ...withoutValues([field]) },
});

/** The values are those of the resident's history: texts, or the KIDs of locations. */
export function listRecordedChanges(
  command: ResidentCommand,
  { oldValue, newValue }: { readonly oldValue: string | null; readonly newValue: string | null },
): RecordedChanges {
  if (isFieldCommand(command)) {
    const field = fieldOf(command);
    if (isPersonal(field)) return recordsNoValue(field, command);
    return { before: { [field]: oldValue }, after: { command, [field]: newValue } };
  }
  switch (command) {
    case 'SetPin':
      return recordsNoValue('pin', command);
    case 'AddKey':
    case 'RemoveKey':
      return recordsNoValue('keys', command);
    case 'RenewActivation':
      return recordsNoValue('activationCode', command);
    case 'SetLocation':
      return { before: { locationKid: oldValue }, after: { command, locationKid: newValue } };
    case 'Enable':
    case 'Disable':
      return { before: { enabled: command === 'Disable' }, after: { command, enabled: command === 'Enable' } };
    case 'Delete':
    case 'Restore':
      return { before: { deleted: command === 'Restore' }, after: { command, deleted: command === 'Delete' } };
  }
}
