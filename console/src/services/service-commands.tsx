// The commands of a service: its name and icon, a new API key, which is shown once, and what the key may read.

import { useState, type JSX } from 'react';
import type { OperationId } from '../api/client.ts';
import {
  serviceOperations,
  type ServiceApiKey,
  type ServiceDetail,
  type ServiceProfileField,
} from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import type { Version } from '../command/command-store.ts';
import type { Field } from '../command/command-types.ts';
import { ManyChoicesField, TextField } from '../command/fields.tsx';
import { requestOf } from '../command/toast-store.ts';
import { useCommand } from '../command/use-command.ts';
import { CopyButton } from '../components/problem-panel.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { ChangeList } from '../components/change-list.tsx';
import { IconField, nameOfIcon } from '../components/icon-field.tsx';
import styles from './service-commands.module.css';

const names = { name: 'name', icon: 'icon', key: 'key', access: 'access' } as const;

const readsOfServices = ['GetService', 'GetServices'] as const;

type DetailProps = { readonly detail: ServiceDetail };

export function ServiceProfileButtons(): JSX.Element | undefined {
  const { t } = useLanguage();
  const manager = useManager();
  if (!may(manager, 'SetServiceProfileField')) return undefined;
  return (
    <span className="marks">
      <CommandButton name={names.name} text={t('service.changeName')} />
      <CommandButton name={names.icon} text={t('service.changeIcon')} />
    </span>
  );
}

export function ServiceKeyButton({ detail: { hasApiKeyHash } }: DetailProps): JSX.Element | undefined {
  const { t } = useLanguage();
  const manager = useManager();
  if (!may(manager, 'GenerateServiceApiKey')) return undefined;
  return (
    <CommandButton name={names.key} text={t(hasApiKeyHash ? 'service.replaceKey' : 'service.createKey')} isSmall />
  );
}

export function ServiceAccessButton(): JSX.Element | undefined {
  const { t } = useLanguage();
  const manager = useManager();
  if (!may(manager, 'SetServiceReadAccess')) return undefined;
  return <CommandButton name={names.access} text={t('service.changeAccess')} isSmall />;
}

export function ServiceCommands({ detail }: DetailProps): JSX.Element | undefined {
  const name = useOpenCommand(names.name, { id: 'SetServiceProfileField' });
  const icon = useOpenCommand(names.icon, { id: 'SetServiceProfileField' });
  const key = useOpenCommand(names.key, { id: 'GenerateServiceApiKey' });
  const access = useOpenCommand(names.access, { id: 'SetServiceReadAccess' });
  if (name !== undefined) return <ProfileDialog detail={detail} field="Name" />;
  if (icon !== undefined) return <ProfileDialog detail={detail} field="Icon" />;
  if (key !== undefined) return <KeyDialog detail={detail} />;
  if (access !== undefined) return <AccessDialog detail={detail} />;
  return undefined;
}

const profileTexts: Readonly<Record<ServiceProfileField, TextKey>> = { Name: 'word.name', Icon: 'word.icon' };

type ProfileDialogProps = DetailProps & { readonly field: ServiceProfileField };

function ProfileDialog({ detail, field }: ProfileDialogProps): JSX.Element {
  const { t } = useLanguage();
  const serviceKid = detail.service.kid;
  const valueOf = ({ service }: ServiceDetail): string => (field === 'Name' ? service.name : service.iconName);
  const versionOf = (stored: ServiceDetail): Version<{ readonly value: string }> => ({
    values: { value: valueOf(stored) },
    revision: stored.profileRevision,
  });
  const label = t(profileTexts[field]);
  const command = useCommand({
    name: field === 'Name' ? names.name : names.icon,
    id: 'SetServiceProfileField',
    stored: versionOf(detail),
    request: ({ value }, expectedRevision) => ({ input: { serviceKid, field }, body: { value, expectedRevision } }),
    invalidates: readsOfServices,
    reread: async (client) => versionOf(await client.call('GetService', { serviceKid })),
    done: ({ profileRevision }) => ({
      text: t('action.saved', { name: label }),
      // An icon that is no longer offered cannot be chosen again.
      ...(field === 'Name'
        ? {
            undo: requestOf('SetServiceProfileField', {
              input: { serviceKid, field },
              body: { value: valueOf(detail), expectedRevision: profileRevision },
            }),
          }
        : {}),
    }),
  });
  return (
    <CommandDialog
      command={command}
      title={`${label}: ${detail.service.identity}`}
      action={t('action.save')}
      labels={{ value: label }}
      format={(_, value) => (field === 'Name' ? String(value) : nameOfIcon(String(value)))}
    >
      {field === 'Name' ? (
        <TextField field={command.field('value')} label={label} autoFocus />
      ) : (
        <IconField field={command.field('value')} icons={detail.availableIcons} stored={command.base.values.value} />
      )}
    </CommandDialog>
  );
}

/** What somebody else may have changed of a service: its revision is that of all of it. */
const stateOf = ({ service, apiKeyMadeAtUtc, readAccess, profileRevision }: ServiceDetail) => ({
  values: {
    made: apiKeyMadeAtUtc ?? '',
    granted: readAccess.grantedAtUtc ?? '',
    name: service.name,
    icon: service.iconName,
  },
  revision: profileRevision,
});

function KeyDialog({ detail }: DetailProps): JSX.Element {
  const { t, formats } = useLanguage();
  const manager = useManager();
  const { service, hasApiKeyHash, readAccess } = detail;
  const serviceKid = service.kid;
  const command = useCommand({
    name: names.key,
    id: 'GenerateServiceApiKey',
    stored: stateOf(detail),
    // Its answer is a secret.
    isSecret: true,
    request: (_, expectedRevision) => ({ input: { serviceKid }, body: { expectedRevision } }),
    invalidates: readsOfServices,
    reread: async (client) => stateOf(await client.call('GetService', { serviceKid })),
    done: () => undefined,
  });
  const { answer } = command;
  const action = t(hasApiKeyHash ? 'service.replaceKey' : 'service.createKey');
  return (
    <CommandDialog
      command={command}
      title={t('service.keyOf', { name: service.name })}
      action={action}
      isDanger={hasApiKeyHash}
      labels={{
        made: t('service.key'),
        granted: t('service.readAccess'),
        name: t('word.name'),
        icon: t('word.icon'),
      }}
      format={(name, value) => {
        if (value === '') return t('state.none');
        return name === 'made' || name === 'granted' ? formats.dateTime(String(value)) : String(value);
      }}
      {...(answer === undefined ? {} : { result: <NewKey answer={answer} /> })}
    >
      <p>{t('service.keyAdvice')}</p>
      {hasApiKeyHash ? <p className="note note-bad">{t('service.keyReplaced')}</p> : undefined}
      {readAccess.operations.length === 0 ? undefined : (
        <p className="note">
          {t(may(manager, 'SetServiceReadAccess') ? 'service.accessContinues' : 'service.accessEnds')}
        </p>
      )}
    </CommandDialog>
  );
}

function NewKey({ answer: { apiKey } }: { readonly answer: ServiceApiKey }): JSX.Element {
  const { t } = useLanguage();
  return (
    <>
      <p className="note" role="status">
        {t('service.keyOnce')}
      </p>
      <p className={styles.secret}>
        <code>{apiKey}</code> <CopyButton text={apiKey} />
      </p>
    </>
  );
}

const accessOf = ({ readAccess, profileRevision }: ServiceDetail): Version<{ operations: readonly string[] }> => ({
  values: { operations: readAccess.operations },
  revision: profileRevision,
});

function AccessDialog({ detail }: DetailProps): JSX.Element {
  const { t } = useLanguage();
  const { service, readAccess } = detail;
  const serviceKid = service.kid;
  const command = useCommand({
    name: names.access,
    id: 'SetServiceReadAccess',
    stored: accessOf(detail),
    request: ({ operations }, expectedRevision) => ({ input: { serviceKid }, body: { operations, expectedRevision } }),
    invalidates: readsOfServices,
    reread: async (client) => accessOf(await client.call('GetService', { serviceKid })),
    done: ({ profileRevision }) => ({
      text: t('service.accessSaved', { name: service.name }),
      undo: requestOf('SetServiceReadAccess', {
        input: { serviceKid },
        body: { operations: readAccess.operations, expectedRevision: profileRevision },
      }),
    }),
  });
  const { operations } = command.values;
  const before = command.base.values.operations;
  return (
    <CommandDialog
      command={command}
      title={`${t('service.readAccess')}: ${service.name}`}
      action={t('action.save')}
      isDanger={before.some((each) => !operations.includes(each))}
      labels={{ operations: t('audit.operation') }}
      format={(_, value) => (value as readonly string[]).join(', ') || t('state.none')}
    >
      <p className="soft">{t('service.accessAdvice')}</p>
      <OperationsField field={command.field('operations')} granted={before} />
      <ChangeList
        granted={operations.filter((each) => !before.includes(each))}
        withdrawn={before.filter((each) => !operations.includes(each))}
      />
      {operations.length === 0 && before.length > 0 ? (
        <p className="note note-bad">{t('service.noneLeft')}</p>
      ) : undefined}
    </CommandDialog>
  );
}

type OperationsFieldProps = { readonly field: Field<readonly string[]>; readonly granted: readonly string[] };

/** A key can do no more than the manager who grants it: what they may not do themselves is not offered. */
function OperationsField({ field, granted }: OperationsFieldProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const [filter, setFilter] = useState('');
  const offered = serviceOperations.filter((each) => may(manager, each satisfies OperationId));
  const all = [...new Set<string>([...offered, ...granted])].toSorted();
  const shown = all.filter((each) => each.toLowerCase().includes(filter.trim().toLowerCase()));
  return (
    <>
      <label className="field">
        <span className="field-name">{t('list.filter')}</span>
        <input type="search" value={filter} autoFocus onChange={({ target }) => setFilter(target.value)} />
      </label>
      <div className={styles.choices}>
        <ManyChoicesField field={field} label={t('audit.operation')} choices={shown.map((each) => [each, each])} />
      </div>
    </>
  );
}
