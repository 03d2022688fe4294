// Decides what the audit log records of a command on a resident: the field that changed, and its value unless it is
// personal; and whom the history names.

import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { withoutValues, type RecordedValues } from '../../audit/rules/recorded-values.ts';
import type { ResidentCommand } from './allowed-commands.ts';

/** Whom the history of a resident names: only managers are known by an id of theirs. */
export const editorOf = ({ kind, id }: Pick<AuditContext, 'kind' | 'id'>): number | null =>
  kind === 'manager' ? id : null;

type RecordedChanges = { readonly before: RecordedValues | null; readonly after: RecordedValues };

const personalFields = {
  SetName: 'name',
  SetEmail: 'email',
  SetPhone: 'phone',
  SetApartment: 'apartment',
  SetPin: 'pin',
  AddKey: 'keys',
  RemoveKey: 'keys',
  RenewActivation: 'activationCode',
} as const satisfies Partial<Record<ResidentCommand, string>>;

const isPersonal = (command: ResidentCommand): command is keyof typeof personalFields => command in personalFields;

/** The values are those of the resident's history: texts, or the KIDs of locations. */
export function listRecordedChanges(
  command: ResidentCommand,
  { oldValue, newValue }: { readonly oldValue: string | null; readonly newValue: string | null },
): RecordedChanges {
  if (isPersonal(command)) return { before: null, after: { command, ...withoutValues([personalFields[command]]) } };
  switch (command) {
    case 'SetLanguage':
      return { before: { language: oldValue }, after: { command, language: newValue } };
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
