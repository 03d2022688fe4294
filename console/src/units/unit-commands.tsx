// The commands of a unit: those that it understands, to be sent, and what became of those that were sent.

import type { JSX } from 'react';
import type { SupportedCommand, UnitCommand, UnitCommandState } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import { ChoiceField } from '../command/fields.tsx';
import { useCommand } from '../command/use-command.ts';
import { DataTable, type Column } from '../components/data-table.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Section } from '../components/page.tsx';
import { StateMark, type StateTexts } from '../components/state-mark.tsx';
import { Ago } from '../times/times.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { isOnItsWay, pollSecondsOf } from './sync-states.ts';

const states: StateTexts<UnitCommandState> = {
  queued: { text: 'sync.queued', tone: 'plain' },
  sent: { text: 'sync.sent', tone: 'warn' },
  done: { text: 'command.done', tone: 'ok' },
  failed: { text: 'sync.failed', tone: 'bad' },
  expired: { text: 'sync.expired', tone: 'warn' },
};

const sendCommand = 'send';
const listed = 10;

type UnitCommandsProps = {
  readonly unitKid: string;
  readonly unitName: string;
  readonly supported: readonly SupportedCommand[];
};

export function UnitCommands({ unitKid, unitName, supported }: UnitCommandsProps): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const manager = useManager();
  const commands = useRead(
    'GetUnitCommands',
    { unitKid, limit: listed },
    { pollSeconds: ({ items }) => pollSecondsOf(items.some(isWaiting)) },
  );
  const opened = useOpenCommand(sendCommand, { id: 'SendUnitCommand' });
  const chosen = supported.find(({ name }) => name === opened);
  return (
    <Section
      title={t('unit.commands')}
      actions={
        may(manager, 'SendUnitCommand') ? (
          <span className="marks">
            {supported.map(({ name, label }) => (
              <CommandButton key={name} name={`${sendCommand}.${name}`} text={label} />
            ))}
          </span>
        ) : undefined
      }
    >
      <Loaded read={commands} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{t('unit.noCommands')}</Empty>
          ) : (
            <DataTable caption={t('unit.commands')} columns={columnsOf(language)} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {chosen === undefined ? undefined : <SendDialog unitKid={unitKid} unitName={unitName} chosen={chosen} />}
    </Section>
  );
}

const isWaiting = ({ state, createdUtc }: UnitCommand): boolean =>
  (state === 'queued' || state === 'sent') && isOnItsWay(createdUtc);

/** For how long the equipment may still carry a command out. */
const lifetimes = [60, 300, 3600, 86_400];
const minuteSeconds = 60;
const hourSeconds = 3600;

type SendDialogProps = { readonly unitKid: string; readonly unitName: string; readonly chosen: SupportedCommand };

function SendDialog({ unitKid, unitName, chosen: { name, label } }: SendDialogProps): JSX.Element {
  const { t } = useLanguage();
  const command = useCommand({
    name: `${sendCommand}.${name}`,
    id: 'SendUnitCommand',
    stored: { values: { ttlSeconds: '300' } },
    request: ({ ttlSeconds }) => ({ input: { unitKid }, body: { name, ttlSeconds: Number(ttlSeconds) } }),
    invalidates: ['GetUnitCommands', 'GetDeviceSyncs'],
    done: () => ({ text: t('unit.commandSent', { name: label, unit: unitName }) }),
  });
  const nameOf = (seconds: number): string =>
    seconds < hourSeconds
      ? t('count.minutes', { count: seconds / minuteSeconds })
      : t('count.hours', { count: seconds / hourSeconds });
  return (
    <CommandDialog command={command} title={`${label} (${unitName})`} action={t('unit.sendCommand')}>
      <p className="soft">{t('unit.commandAdvice')}</p>
      <ChoiceField
        field={command.field('ttlSeconds')}
        label={t('unit.commandLifetime')}
        choices={lifetimes.map((seconds) => [String(seconds), nameOf(seconds)])}
      />
    </CommandDialog>
  );
}

const columnsOf = ({ t }: LanguageState): readonly Column<UnitCommand>[] => [
  { key: 'name', title: t('word.command'), cell: ({ label }) => label },
  {
    key: 'state',
    title: t('word.state'),
    cell: ({ state, code }) => (
      <>
        <StateMark states={states} state={state} /> {code === null ? undefined : <code>{code}</code>}
      </>
    ),
  },
  { key: 'by', title: t('unit.sentBy'), cell: ({ createdBy }) => createdBy },
  { key: 'at', title: t('word.time'), cell: ({ createdUtc }) => <Ago instant={createdUtc} /> },
];
