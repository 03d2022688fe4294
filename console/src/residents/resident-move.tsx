// Moves a resident: to another location, another apartment, or both at once, though the service has a command for each.

import type { JSX } from 'react';
import type { Client } from '../api/client.ts';
import type { ResidentCommand, ResidentWorkspace } from '../api/operations.ts';
import { findBank } from '../api/rights.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import type { Version } from '../command/command-store.ts';
import type { Sending } from '../command/command-types.ts';
import { useCommand } from '../command/use-command.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { findDecision, LocationField, useResident } from './resident-commands.tsx';
import { homeFields, residentFields, recordOf, type HomeField } from './resident-fields.ts';
import { ResidentTextField } from './resident-text-field.tsx';

const moveCommand = 'Move';

/** The home of a resident. */
type Home = Readonly<Record<'locationKid' | HomeField, string>>;

const homeOf = ({ user }: ResidentWorkspace): Home => ({
  locationKid: user.locationKid ?? '',
  ...recordOf(homeFields, (name) => user[name]),
});

const versionOf = (workspace: ResidentWorkspace): Version<Home> => ({
  values: homeOf(workspace),
  revision: workspace.revision,
});

const steps: readonly (readonly [ResidentCommand, keyof Home])[] = [
  ['SetLocation', 'locationKid'],
  ...homeFields.map((name) => [residentFields[name].command, name] as const),
];

type MoveProps = { readonly bankKid: string; readonly workspace: ResidentWorkspace };

const isPossible = (workspace: ResidentWorkspace): boolean =>
  steps.every(([command]) => findDecision(workspace, command)?.allowed === true);

export function MoveButton({ workspace }: Pick<MoveProps, 'workspace'>): JSX.Element | undefined {
  const { t } = useLanguage();
  return isPossible(workspace) ? (
    <CommandButton name={moveCommand} text={t('resident.move')} icon="location" />
  ) : undefined;
}

export function MoveCommand(props: MoveProps): JSX.Element | undefined {
  const isAllowed = isPossible(props.workspace);
  const opened = useOpenCommand(moveCommand, { id: 'ExecuteBankUserCommand', isAllowed });
  return opened === undefined ? undefined : <MoveDialog {...props} isAllowed={isAllowed} />;
}

function MoveDialog(props: MoveProps & { readonly isAllowed: boolean }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const { bankKid, workspace } = props;
  const { common, rereadAs } = useResident(props);
  const userKid = workspace.user.kid;
  const nameOfLocation = (locationKid: string): string =>
    findBank(manager, bankKid)?.locations.find(({ kid }) => kid === locationKid)?.name ?? locationKid;
  const command = useCommand({
    ...common,
    name: moveCommand,
    stored: versionOf(workspace),
    perform: (wanted: Home, sending) => move({ bankKid, userKid }, wanted, sending),
    reread: rereadAs(versionOf),
    done: () => ({ text: t('resident.moved', { name: workspace.user.name === '' ? userKid : workspace.user.name }) }),
  });
  return (
    <CommandDialog
      command={command}
      title={t('resident.move')}
      action={t('resident.move')}
      labels={{
        locationKid: t('word.location'),
        ...recordOf(homeFields, (name) => t(residentFields[name].label)),
      }}
      format={(name, value) => {
        const text = String(value);
        if (text === '') return t('state.none');
        return name === 'locationKid' ? nameOfLocation(text) : text;
      }}
    >
      <LocationField field={command.field('locationKid')} bankKid={bankKid} />
      {homeFields.map((name) => (
        <ResidentTextField key={name} field={command.field(name)} name={name} />
      ))}
    </CommandDialog>
  );
}

type Resident = { readonly bankKid: string; readonly userKid: string };

/** What is as wanted already is left alone, so that a second try goes on where the first one ended. */
async function move(resident: Resident, wanted: Home, { client, key, revision }: Sending): Promise<ResidentWorkspace> {
  const stored = await client.call('GetBankUserWorkspace', resident);
  const missing = steps.filter(([, field]) => wanted[field] !== homeOf(stored)[field]);
  let answer: ResidentWorkspace = { ...stored, revision };
  for (const [command, field] of missing) {
    const step = { command, value: wanted[field], expectedRevision: answer.revision, key: `${key}-${field}` };
    answer = await callStep(client, resident, step);
  }
  return answer;
}

type Step = {
  readonly command: ResidentCommand;
  readonly value: string;
  readonly expectedRevision: string;
  readonly key: string;
};

const callStep = (client: Client, resident: Resident, { command, key, ...body }: Step): Promise<ResidentWorkspace> =>
  client.call('ExecuteBankUserCommand', { ...resident, command }, { body, key });
