// Changes what a manager may do: single permissions, or all those of a role at once. The dialog says what would be
// granted and withdrawn; what the reader does not hold, nobody lets them change.

import { useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Client } from '../api/client.ts';
import type { ManagerDetail, PermissionArea, PermissionFlag } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import type { Version } from '../command/command-store.ts';
import type { Command, Sending } from '../command/command-types.ts';
import { requestOf, type AnyRequest } from '../command/toast-store.ts';
import { useCommand } from '../command/use-command.ts';
import { Icon } from '../components/icon.tsx';
import type { Translate } from '../language/catalogue.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { ChangeList } from '../components/change-list.tsx';
import {
  comparePermissions,
  findRole,
  permissionAreas,
  permissionFlags,
  withAllOf,
  withFlag,
  type Matrix,
  type PermissionChange,
} from './permission-changes.ts';
import { areaTexts, flagTexts, nameOfRole } from './roles.ts';
import styles from './matrix.module.css';

const permissionsCommand = 'permissions';
const right = { id: 'SetManagerPermission' } as const;

type DetailProps = { readonly detail: ManagerDetail };

export function PermissionsButton({ detail }: DetailProps): JSX.Element | undefined {
  const { t } = useLanguage();
  const reader = useManager();
  if (!may(reader, 'SetManagerPermission')) return undefined;
  return (
    <CommandButton
      name={permissionsCommand}
      text={t('manager.change')}
      isSmall
      reason={detail.canEdit ? undefined : t('manager.ownRefused')}
    />
  );
}

export function PermissionsCommand({ detail }: DetailProps): JSX.Element | undefined {
  const opened = useOpenCommand(permissionsCommand, right);
  return opened === undefined ? undefined : <PermissionsDialog detail={detail} />;
}

const versionOf = ({ permissions, permissionRevision }: ManagerDetail): Version<Matrix> => ({
  values: permissions,
  revision: permissionRevision,
});

function PermissionsDialog({ detail }: DetailProps): JSX.Element {
  const { t } = useLanguage();
  const reader = useManager();
  const queries = useQueryClient();
  const { manager, permissions } = detail;
  const command = useCommand({
    name: permissionsCommand,
    id: 'SetManagerPermission',
    stored: versionOf(detail),
    perform: async (wanted: Matrix, sending) => {
      try {
        return await storePermissions(manager.kid, wanted, sending);
      } catch (error) {
        // Some of it may be done.
        void queries.invalidateQueries({ queryKey: ['GetManager'] });
        throw error;
      }
    },
    invalidates: ['GetManager', 'GetManagers', 'GetCurrentManager', 'GetService'],
    reread: async (client) => {
      const stored = await client.call('GetManager', { managerKid: manager.kid });
      await queries.invalidateQueries({ queryKey: ['GetManager'] });
      return versionOf(stored);
    },
    done: (answer) => {
      const undo = undoOf(detail, answer);
      return { text: t('manager.saved', { name: nameOf(detail) }), ...(undo === undefined ? {} : { undo }) };
    },
  });
  const changes = comparePermissions(permissions, command.values);
  const texts = (isGranted: boolean): readonly string[] =>
    [...Map.groupBy(changes, ({ area }) => area)].flatMap(([area, ofArea]) => {
      const flags = ofArea.filter((change) => change.isGranted === isGranted).map(({ flag }) => flag);
      return flags.length === 0 ? [] : [`${t(areaTexts[area])}: ${formatFlags(flags, t)}`];
    });
  return (
    <CommandDialog
      command={command}
      title={`${t('manager.permissions')}: ${nameOf(detail)}`}
      action={t('action.save')}
      isDanger={changes.some(({ isGranted }) => !isGranted)}
      refusal={detail.canEdit ? undefined : t('manager.ownRefused')}
      labels={Object.fromEntries(permissionAreas.map((area) => [area, t(areaTexts[area])]))}
      format={(_, value) => formatFlags(value as readonly string[], t)}
    >
      {manager.kid === reader.kid ? <p className="note note-bad">{t('manager.own')}</p> : undefined}
      <RoleChoice command={command} detail={detail} />
      <OwnPermissionsButton command={command} detail={detail} />
      <MatrixField command={command} detail={detail} />
      <ChangeList granted={texts(true)} withdrawn={texts(false)} />
      {changes.length === 0 ? undefined : <p className="soft">{t('manager.atOnce')}</p>}
    </CommandDialog>
  );
}

const nameOf = ({ manager: { name, kid } }: ManagerDetail): string => (name === '' ? kid : name);

const textOf = ({ area, flag }: Omit<PermissionChange, 'isGranted'>, t: Translate): string =>
  `${t(areaTexts[area])}: ${t(flagTexts[flag])}`;

const formatFlags = (held: readonly string[], t: Translate): string =>
  permissionFlags
    .filter((flag) => held.includes(flag))
    .map((flag) => t(flagTexts[flag]))
    .join(', ') || t('state.none');

/**
 * What the manager has already is left alone, so that a second try goes on where the first one ended. The permissions of
 * a role are stored at once; others one after another.
 */
async function storePermissions(
  managerKid: string,
  wanted: Matrix,
  { client, key, revision }: Sending,
): Promise<ManagerDetail> {
  const stored = await client.call('GetManager', { managerKid });
  const changes = comparePermissions(stored.permissions, wanted);
  const role = findRole(stored.roles, wanted);
  if (role !== undefined && changes.length > 1)
    return client.call(
      'SetManagerPermissionRole',
      { managerKid },
      { body: { role: role.name, expectedRevision: revision }, key },
    );
  return storeEach(client, { changes, key, begun: { ...stored, permissionRevision: revision } });
}

type Storing = {
  readonly changes: readonly PermissionChange[];
  readonly key: string;
  readonly begun: ManagerDetail;
};

async function storeEach(client: Client, { changes, key, begun }: Storing): Promise<ManagerDetail> {
  let detail = begun;
  for (const { area, flag, isGranted: granted } of changes)
    detail = await client.call(
      'SetManagerPermission',
      { managerKid: begun.manager.kid, area, flag },
      { body: { granted, expectedRevision: detail.permissionRevision }, key: `${key}-${area}-${flag}` },
    );
  return detail;
}

/** The opposite, if one request can do it. */
function undoOf(before: ManagerDetail, after: ManagerDetail): AnyRequest | undefined {
  const managerKid = before.manager.kid;
  const expectedRevision = after.permissionRevision;
  const [first, ...others] = comparePermissions(before.permissions, after.permissions);
  if (first === undefined) return undefined;
  if (others.length === 0) {
    const { area, flag, isGranted } = first;
    const body = { granted: !isGranted, expectedRevision };
    return requestOf('SetManagerPermission', { input: { managerKid, area, flag }, body });
  }
  const role = findRole(before.roles, before.permissions);
  if (role === undefined) return undefined;
  return requestOf('SetManagerPermissionRole', {
    input: { managerKid },
    body: { role: role.name, expectedRevision },
  });
}

type FieldsProps = DetailProps & { readonly command: Command<Matrix, ManagerDetail> };

/** Whether the reader may grant and withdraw a permission of this manager. */
function useMayChange({ manager }: ManagerDetail): (change: Pick<PermissionChange, 'area' | 'flag'>) => boolean {
  const reader = useManager();
  return ({ area, flag }) => manager.kid === reader.kid || reader.permissions[area].includes(flag);
}

/** Fills the matrix with the permissions of a role: only of one that the reader may give. */
function RoleChoice({ command, detail }: FieldsProps): JSX.Element {
  const { t } = useLanguage();
  const mayChange = useMayChange(detail);
  const { roles, permissions } = detail;
  const offered = roles.filter((role) => comparePermissions(permissions, role.permissions).every(mayChange));
  const current = findRole(roles, command.values)?.name ?? 'Custom';
  return (
    <div className="field">
      <label htmlFor="permission-role">{t('manager.role')}</label>
      <select
        id="permission-role"
        value={current}
        disabled={command.isSending}
        onChange={({ target }) => {
          const role = roles.find(({ name }) => name === target.value);
          if (role === undefined) return;
          for (const area of permissionAreas) command.field(area).change(role.permissions[area]);
        }}
      >
        {offered.some(({ name }) => name === current) ? undefined : (
          <option value={current}>{nameOfRole(current, t)}</option>
        )}
        {offered.map(({ name }) => (
          <option key={name} value={name}>
            {nameOfRole(name, t)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Grants all that the reader has: for a colleague who does the same work. */
function OwnPermissionsButton({ command, detail }: FieldsProps): JSX.Element | undefined {
  const { t } = useLanguage();
  const reader = useManager();
  if (detail.manager.kid === reader.kid) return undefined;
  return (
    <p>
      <button
        type="button"
        className="button button-small"
        disabled={command.isSending}
        onClick={() => {
          for (const area of permissionAreas) {
            const { value, change } = command.field(area);
            change(withAllOf(value, reader.permissions[area]));
          }
        }}
      >
        <Icon name="copy" />
        {t('manager.sameAsYours')}
      </button>
    </p>
  );
}

function MatrixField({ command, detail }: FieldsProps): JSX.Element {
  const { t } = useLanguage();
  const mayChange = useMayChange(detail);
  const isAll = permissionAreas.every((area) => permissionFlags.every((flag) => mayChange({ area, flag })));
  const check = (area: PermissionArea, flag: PermissionFlag): JSX.Element => {
    const { value, change, isDisabled } = command.field(area);
    return (
      <label className={styles.cell}>
        <input
          type="checkbox"
          checked={value.includes(flag)}
          disabled={isDisabled || !mayChange({ area, flag })}
          onChange={({ target }) => change(withFlag(value, flag, target.checked))}
        />
        <span className="visually-hidden">{textOf({ area, flag }, t)}</span>
      </label>
    );
  };
  return (
    <>
      <table className={`${styles.matrix} ${styles.field}`}>
        <caption className="visually-hidden">{t('manager.permissions')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('manager.area')}</th>
            {permissionFlags.map((flag) => (
              <th key={flag} scope="col">
                {t(flagTexts[flag])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissionAreas.map((area) => (
            <tr key={area}>
              <th scope="row">{t(areaTexts[area])}</th>
              {permissionFlags.map((flag) => (
                <td key={flag}>{check(area, flag)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isAll ? undefined : <p className="soft">{t('manager.notHeld')}</p>}
    </>
  );
}
