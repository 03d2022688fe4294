// The commands of a resident: to change what is known of them, to disable, enable, delete and restore them, and their
// keys, code and activation. Whether each is possible, the workspace says.

import { useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Client } from '../api/client.ts';
import type { ResidentCommand, ResidentCommandDecision, ResidentWorkspace } from '../api/operations.ts';
import { findBank } from '../api/rights.ts';
import { readQuery, useRead } from '../api/use-read.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useCommandAddress } from '../command/command-address.ts';
import type { Version } from '../command/command-store.ts';
import { ChoiceField, TextField } from '../command/fields.tsx';
import { requestOf } from '../command/toast-store.ts';
import type { Command, Field } from '../command/command-types.ts';
import { useCommand } from '../command/use-command.ts';
import { Loaded } from '../components/loaded.tsx';
import type { IconName } from '../components/icon-paths.ts';
import type { TextKey, Translate } from '../language/catalogue.ts';
import { isLanguage, languageNames } from '../language/languages.ts';
import { residentPath } from '../paths.ts';
import { useLanguage, useManager, usePortal } from '../portal.tsx';
import { findField, residentFields, type ResidentField } from './resident-fields.ts';
import { ResidentTextField } from './resident-text-field.tsx';

/** What shows residents, or what belongs to them. */
export const readsOfResidents = [
  'GetBankUsers',
  'GetBankUserWorkspace',
  'GetBankUserActivation',
  'GetBankAccount',
  'GetBankBookings',
  'GetUserReceipts',
  'GetDeviceSyncs',
] as const;

/** A right that the manager lacks: what they may never do is not shown. */
const isForbidden = ({ reason }: ResidentCommandDecision): boolean =>
  reason !== null && /^(?:missing-|too-narrow)/.test(reason);

const reasonTexts: Readonly<Record<string, TextKey>> = {
  'not-retained': 'resident.notRetained',
  'not-active': 'resident.notActive',
  'too-many-keys': 'resident.tooManyKeys',
};

/** Undefined if it is not to be shown: the manager may never do it, or it makes no sense in this state. */
export function findDecision(
  { commands, user }: ResidentWorkspace,
  name: ResidentCommand,
): ResidentCommandDecision | undefined {
  const found = commands.find(({ command }) => command === name);
  if (found === undefined || isForbidden(found)) return undefined;
  return found.allowed || reasonTexts[found.reason ?? ''] !== undefined || user.state !== 'deleted' ? found : undefined;
}

const reasonOf = ({ allowed, reason }: ResidentCommandDecision, t: Translate): string | undefined => {
  if (allowed) return undefined;
  const key = reasonTexts[reason ?? ''];
  return key === undefined ? (reason ?? '') : t(key);
};

/** The workspace of a deleted resident may not be shown any more: the answer of the command is the last of it. */
const readsOfOthers = readsOfResidents.filter((id) => id !== 'GetBankUserWorkspace');

type StateCommand = 'Enable' | 'Disable' | 'Delete' | 'Restore' | 'RenewActivation';

type StateText = {
  readonly action: TextKey;
  readonly icon: IconName;
  readonly advice: TextKey;
  readonly done: TextKey;
  readonly isDanger?: true;
  /** Takes it back. */
  readonly opposite?: StateCommand;
};

const states: Readonly<Record<StateCommand, StateText>> = {
  Enable: {
    action: 'resident.enable',
    icon: 'ok',
    advice: 'resident.enableAdvice',
    done: 'resident.isEnabled',
    opposite: 'Disable',
  },
  Disable: {
    action: 'resident.disable',
    icon: 'close',
    advice: 'resident.disableAdvice',
    done: 'resident.isDisabled',
    isDanger: true,
    opposite: 'Enable',
  },
  Delete: {
    action: 'resident.delete',
    icon: 'delete',
    advice: 'resident.deleteAdvice',
    done: 'resident.isDeleted',
    isDanger: true,
    opposite: 'Restore',
  },
  Restore: { action: 'resident.restore', icon: 'undo', advice: 'resident.restoreAdvice', done: 'resident.isRestored' },
  RenewActivation: {
    action: 'resident.renewActivation',
    icon: 'refresh',
    advice: 'resident.renewAdvice',
    done: 'resident.activationRenewed',
  },
};

type WorkspaceProps = { readonly bankKid: string; readonly workspace: ResidentWorkspace };

/** Changes one of the facts. */
export function ChangeFact({
  workspace,
  command,
}: {
  readonly workspace: ResidentWorkspace;
  readonly command: ResidentCommand;
}): JSX.Element | undefined {
  const { t } = useLanguage();
  const decision = findDecision(workspace, command);
  if (decision === undefined || !decision.allowed) return undefined;
  const field = findField(command);
  return (
    <CommandButton
      name={command}
      text={t('action.change')}
      about={t(field === undefined ? 'resident.code' : residentFields[field].label)}
      isSmall
    />
  );
}

/** The commands on the resident as a whole that make sense in this state. */
export function StateButtons({ workspace }: { readonly workspace: ResidentWorkspace }): JSX.Element {
  const { t } = useLanguage();
  const { state } = workspace.user;
  const offered: readonly StateCommand[] =
    state === 'deleted' ? ['Restore'] : [state === 'active' ? 'Disable' : 'Enable', 'Delete'];
  return (
    <>
      {offered.map((name) => {
        const decision = findDecision(workspace, name);
        return decision === undefined ? undefined : (
          <CommandButton
            key={name}
            name={name}
            text={t(states[name].action)}
            icon={states[name].icon}
            reason={reasonOf(decision, t)}
          />
        );
      })}
    </>
  );
}

export function RenewButton({ workspace }: { readonly workspace: ResidentWorkspace }): JSX.Element | undefined {
  const { t } = useLanguage();
  const decision = findDecision(workspace, 'RenewActivation');
  if (decision === undefined) return undefined;
  return (
    <CommandButton
      name="RenewActivation"
      text={t('resident.renewActivation')}
      icon="refresh"
      isSmall
      reason={reasonOf(decision, t)}
    />
  );
}

export function AddKeyButton({ workspace }: { readonly workspace: ResidentWorkspace }): JSX.Element | undefined {
  const { t } = useLanguage();
  const decision = findDecision(workspace, 'AddKey');
  if (decision === undefined) return undefined;
  return (
    <CommandButton name="AddKey" text={t('resident.addKey')} icon="create" isSmall reason={reasonOf(decision, t)} />
  );
}

export function RemoveKeyButton({
  workspace,
  keyText,
}: {
  readonly workspace: ResidentWorkspace;
  readonly keyText: string;
}): JSX.Element | undefined {
  const { t } = useLanguage();
  const decision = findDecision(workspace, 'RemoveKey');
  if (decision === undefined || !decision.allowed) return undefined;
  return <CommandButton name={`RemoveKey.${keyText}`} text={t('resident.removeKey')} about={keyText} isSmall />;
}

/** The dialog of the command that the address names. */
export function ResidentCommands({ bankKid, workspace }: WorkspaceProps): JSX.Element | undefined {
  const { opened = '' } = useCommandAddress();
  const [name, about] = splitName(opened);
  const decision = findDecision(workspace, name as ResidentCommand);
  if (decision === undefined) return undefined;
  const props = { bankKid, workspace, isAllowed: decision.allowed };
  const field = findField(name);
  if (field !== undefined) return <FieldDialog {...props} name={field} />;
  if (name in states) return <StateDialog {...props} name={name as StateCommand} />;
  if (name === 'AddKey') return <AddKeyDialog {...props} />;
  if (name === 'RemoveKey' && about !== '') return <RemoveKeyDialog {...props} keyText={about} />;
  return name === 'SetPin' ? <PinDialog {...props} /> : undefined;
}

/** What a command is about stands after its first dot. */
function splitName(opened: string): readonly [name: string, about: string] {
  const index = opened.indexOf('.');
  return index < 0 ? [opened, ''] : [opened.slice(0, index), opened.slice(index + 1)];
}

export type DialogProps = WorkspaceProps & { readonly isAllowed: boolean };

/** What every command of a resident has in common. */
export function useResident({ bankKid, workspace, isAllowed }: DialogProps) {
  const userKid = workspace.user.kid;
  const inputOf = (command: ResidentCommand) => ({ bankKid, userKid, command });
  return {
    common: { id: 'ExecuteBankUserCommand', isAllowed, invalidates: readsOfResidents } as const,
    inputOf,
    rereadAs:
      <V extends Version>(toVersion: (found: ResidentWorkspace) => V) =>
      async (client: Client): Promise<V> =>
        toVersion(await client.call('GetBankUserWorkspace', { bankKid, userKid })),
    undoOf: (command: ResidentCommand, revision: string, value?: string) =>
      requestOf('ExecuteBankUserCommand', {
        input: inputOf(command),
        body: { expectedRevision: revision, ...(value === undefined ? {} : { value }) },
      }),
  };
}

type ValueOf = Version<{ readonly value: string }>;

function FieldDialog({ name, ...props }: DialogProps & { readonly name: ResidentField }): JSX.Element {
  const { t } = useLanguage();
  const { bankKid, workspace } = props;
  const { common, inputOf, rereadAs, undoOf } = useResident(props);
  const { command: set, label: labelKey, done } = residentFields[name];
  const toVersion = ({ user, revision }: ResidentWorkspace): ValueOf => ({
    values: { value: user[name] ?? '' },
    revision,
  });
  const stored = toVersion(workspace);
  const command = useCommand({
    ...common,
    name: set,
    stored,
    request: ({ value }, expectedRevision) => ({ input: inputOf(set), body: { expectedRevision, value } }),
    reread: rereadAs(toVersion),
    done: ({ revision }) => ({ text: t(done), undo: undoOf(set, revision, stored.values.value) }),
  });
  const label = t(labelKey);
  const format = useFormat(bankKid, name);
  return (
    <CommandDialog
      command={command}
      title={label}
      action={t('action.save')}
      labels={{ value: label }}
      format={(_, value) => format(String(value))}
    >
      <ValueField bankKid={bankKid} name={name} command={command} />
    </CommandDialog>
  );
}

/** A value as people read it. */
function useFormat(bankKid: string, name: ResidentField): (value: string) => string {
  const { t } = useLanguage();
  const manager = useManager();
  return (value) => {
    if (value === '') return t('state.none');
    if (name === 'language' && isLanguage(value)) return languageNames[value];
    if (name !== 'locationKid') return value;
    return findBank(manager, bankKid)?.locations.find(({ kid }) => kid === value)?.name ?? value;
  };
}

type ValueFieldProps = {
  readonly bankKid: string;
  readonly name: ResidentField;
  readonly command: Command<{ readonly value: string }, ResidentWorkspace>;
};

function ValueField({ bankKid, name, command }: ValueFieldProps): JSX.Element {
  const { t } = useLanguage();
  const field = command.field('value');
  if (name === 'locationKid') return <LocationField field={field} bankKid={bankKid} />;
  if (name !== 'language') return <ResidentTextField field={field} name={name} autoFocus />;
  const label = t(residentFields[name].label);
  return <ChoiceField field={field} label={label} choices={Object.entries(languageNames)} autoFocus />;
}

type LocationFieldProps = { readonly field: Field<string>; readonly bankKid: string };

export function LocationField({ field, bankKid }: LocationFieldProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  return (
    <ChoiceField
      field={field}
      label={t('word.location')}
      choices={[
        ['', t('state.none')],
        ...(findBank(manager, bankKid)?.locations ?? []).map(({ kid, name }) => [kid, name] as const),
      ]}
      autoFocus
    />
  );
}

const withoutValue = ({ revision }: ResidentWorkspace): Version => ({ values: {}, revision });

function StateDialog({ name, ...props }: DialogProps & { readonly name: StateCommand }): JSX.Element {
  const { t } = useLanguage();
  const { bankKid, workspace } = props;
  const { action, advice, done, isDanger, opposite } = states[name];
  const { common, inputOf, rereadAs, undoOf } = useResident(props);
  const show = useShowDeleted(props);
  const { user, upcomingBookings, keys } = workspace;
  const who = user.name === '' ? user.kid : user.name;
  const command = useCommand({
    ...common,
    name,
    stored: withoutValue(workspace),
    request: (_, expectedRevision) => ({ input: inputOf(name), body: { expectedRevision } }),
    reread: rereadAs(withoutValue),
    ...(name === 'Delete' ? { invalidates: readsOfOthers } : {}),
    done: (answer) => {
      if (name === 'Delete') show(answer);
      const isUndoable = answer.commands.some(({ command: each, allowed }) => each === opposite && allowed);
      return {
        text: t(done, { name: who }),
        ...(opposite === undefined || !isUndoable ? {} : { undo: undoOf(opposite, answer.revision) }),
        ...(name === 'RenewActivation'
          ? { link: { to: `${residentPath(bankKid, user.kid)}/letter`, text: t('letter.title') } }
          : {}),
      };
    },
  });
  const isLeaving = name === 'Delete' || name === 'Disable';
  return (
    <CommandDialog command={command} title={t(action)} action={t(action)} isDanger={isDanger === true}>
      <p>
        <strong>{who}</strong>
      </p>
      <p>{t(advice)}</p>
      {name === 'Delete' ? <Retention /> : undefined}
      {isLeaving && (upcomingBookings.length > 0 || keys.length > 0) ? (
        <ul className="sentences">
          {keys.length === 0 ? undefined : <li>{t('resident.hasKeys', { count: keys.length })}</li>}
          {upcomingBookings.length === 0 ? undefined : (
            <li>{t('resident.hasBookings', { count: upcomingBookings.length })}</li>
          )}
        </ul>
      ) : undefined}
    </CommandDialog>
  );
}

/** Shows a resident who has been deleted as the service has answered. */
function useShowDeleted({ bankKid, workspace }: WorkspaceProps): (answer: ResidentWorkspace) => void {
  const { client } = usePortal();
  const { language } = useLanguage();
  const queries = useQueryClient();
  const input = { bankKid, userKid: workspace.user.kid };
  return (answer) => queries.setQueryData(readQuery(client, language, 'GetBankUserWorkspace', input).queryKey, answer);
}

/** Whether this manager could take a deletion back. */
function Retention(): JSX.Element {
  const { t } = useLanguage();
  const profile = useRead('GetMyManagerProfile', {});
  return (
    <Loaded read={profile} lines={1}>
      {({ retentionDays }) => (
        <p className={retentionDays === 0 ? 'note note-bad' : undefined}>
          {retentionDays === 0 ? t('resident.deleteFinal') : t('resident.deleteRetained', { count: retentionDays })}
        </p>
      )}
    </Loaded>
  );
}

const cardPrefix = 'Card:';

function AddKeyDialog(props: DialogProps): JSX.Element {
  const { t } = useLanguage();
  const { workspace } = props;
  const { common, inputOf, rereadAs, undoOf } = useResident(props);
  const toVersion = ({ revision }: ResidentWorkspace) => ({ values: { kind: 'Tag', value: '' }, revision });
  const keyOf = ({ kind, value }: { readonly kind: string; readonly value: string }): string =>
    `${kind === 'Card' ? cardPrefix : ''}${value.trim()}`;
  const command = useCommand({
    ...common,
    name: 'AddKey',
    stored: toVersion(workspace),
    request: (values, expectedRevision) => ({
      input: inputOf('AddKey'),
      body: { expectedRevision, value: keyOf(values) },
    }),
    reread: rereadAs(toVersion),
    done: ({ revision, keys }) => {
      // The service writes the number in its own way.
      const added = keys.find(({ key }) => !workspace.keys.some((before) => before.key === key));
      return {
        text: t('resident.keyAdded'),
        ...(added === undefined ? {} : { undo: undoOf('RemoveKey', revision, textOfKey(added)) }),
      };
    },
  });
  const labels = { kind: t('resident.keyKind'), value: t('resident.keyNumber') };
  return (
    <CommandDialog command={command} title={t('resident.addKey')} action={t('resident.addKey')} labels={labels}>
      <ChoiceField
        field={command.field('kind')}
        label={labels.kind}
        choices={[
          ['Tag', t('resident.tag')],
          ['Card', t('resident.card')],
        ]}
      />
      <TextField
        field={command.field('value')}
        label={labels.value}
        description={t('resident.keyHelp')}
        maxLength={64}
        autoFocus
      />
    </CommandDialog>
  );
}

function RemoveKeyDialog({ keyText, ...props }: DialogProps & { readonly keyText: string }): JSX.Element {
  const { t } = useLanguage();
  const { workspace } = props;
  const { common, inputOf, rereadAs, undoOf } = useResident(props);
  const command = useCommand({
    ...common,
    name: `RemoveKey.${keyText}`,
    stored: withoutValue(workspace),
    request: (_, expectedRevision) => ({ input: inputOf('RemoveKey'), body: { expectedRevision, value: keyText } }),
    reread: rereadAs(withoutValue),
    done: ({ revision }) => ({ text: t('resident.keyRemoved'), undo: undoOf('AddKey', revision, keyText) }),
  });
  return (
    <CommandDialog command={command} title={t('resident.removeKey')} action={t('resident.removeKey')} isDanger>
      <p>
        <code>{keyText}</code>
      </p>
      <p>{t('resident.removeKeyAdvice')}</p>
    </CommandDialog>
  );
}

function PinDialog(props: DialogProps): JSX.Element {
  const { t } = useLanguage();
  const { workspace } = props;
  const { common, inputOf, rereadAs } = useResident(props);
  const toVersion = ({ revision }: ResidentWorkspace): ValueOf => ({ values: { value: '' }, revision });
  const command = useCommand({
    ...common,
    name: 'SetPin',
    isSecret: true,
    stored: toVersion(workspace),
    request: ({ value }, expectedRevision) => ({ input: inputOf('SetPin'), body: { expectedRevision, value } }),
    reread: rereadAs(toVersion),
    done: () => ({ text: t('resident.codeSaved') }),
  });
  return (
    <CommandDialog command={command} title={t('resident.code')} action={t('action.save')}>
      {/* Whose code it is, for programs that keep passwords. */}
      <input type="text" name="username" autoComplete="username" value={workspace.user.kid} readOnly hidden />
      <TextField
        field={command.field('value')}
        label={t('resident.code')}
        description={t('resident.codeHelp')}
        type="password"
        inputMode="numeric"
        autoComplete="new-password"
        maxLength={8}
        autoFocus
      />
    </CommandDialog>
  );
}

/** A key as the commands name it. */
export const textOfKey = ({ key, kind }: { readonly key: string; readonly kind: string }): string =>
  `${kind === 'Card' ? cardPrefix : ''}${key}`;
