// Calls the operations on managers.

import type { CallOptions } from './call.ts';
import type { ReplyOf } from './operation-replies.ts';
import type { TestService } from './service.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import {
  changeManager,
  type ChangeManagerResult,
} from '../../src/features/manager-administration/commands/change-manager.ts';

export const managersPath = '/api/v1/managers';

/** As the command line does it, in a process of its own as far as the database knows. Throws ManagerRefusedError. */
export const setActivity = (
  { dependencies }: Pick<TestService, 'dependencies'>,
  managerId: number,
  isActive: boolean,
): Promise<ChangeManagerResult> =>
  changeManager(dependencies.databases.forTenant('sund'), {
    tenant: 'sund',
    userName: `manager${managerId}`,
    command: 'manager deactivate',
    isForced: false,
    change: (current) => ({ ...current, isActive }),
    deadlineMs: 10_000,
    clock: () => toMs2000(dependencies.clock()),
  });

type Caller = { readonly token: string | undefined };
type Service = Pick<TestService, 'call'>;

export const managerPath = (managerId: number): string => `${managersPath}/sund-M${managerId}`;

export const listManagers = (
  { call }: Service,
  caller: Caller,
  query: Record<string, string> = {},
): Promise<ReplyOf<'GetManagers'>> => call('GET', `${managersPath}?${String(new URLSearchParams(query))}`, caller);

export const getManager = ({ call }: Service, caller: Caller, managerId: number): Promise<ReplyOf<'GetManager'>> =>
  call('GET', managerPath(managerId), caller);

type PermissionChange = {
  /** `Bank.Read` */
  readonly permission: string;
  readonly granted: boolean;
  readonly expectedRevision?: string;
};

/** A new manager has the revision 1. */
export const setPermission = (
  { call }: Service,
  managerId: number,
  { permission, granted, expectedRevision = '1' }: PermissionChange,
  options: CallOptions,
): Promise<ReplyOf<'SetManagerPermission'>> =>
  call('PUT', `${managerPath(managerId)}/permissions/${permission.replace('.', '/')}`, {
    ...options,
    body: { granted, expectedRevision },
  });

export const setRole = (
  { call }: Service,
  managerId: number,
  { role, expectedRevision = '1' }: { readonly role: string; readonly expectedRevision?: string },
  options: CallOptions,
): Promise<ReplyOf<'SetManagerPermissionRole'>> =>
  call('PUT', `${managerPath(managerId)}/permission-role`, { ...options, body: { role, expectedRevision } });

/** `{ Bank: ['Read'], ... }` -> `['Bank.Read', ...]` */
export const listPermissions = (permissions: Record<string, string[]>): string[] =>
  Object.entries(permissions).flatMap(([area, flags]) => flags.map((flag) => `${area}.${flag}`));
