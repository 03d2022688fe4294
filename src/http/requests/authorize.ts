// Decides whether a principal has the rights that an operation needs. The problem names the first one that is missing.

import { Problem } from '../../lib/problem.ts';
import { anyTab, type Tab } from '../../permissions/matrix.ts';
import {
  findMissingRight,
  missingRightReason,
  type GrantLevel,
  type MissingRight,
  type Rights,
} from '../../permissions/needs.ts';
import type { OperationAccess } from '../operations/operation.ts';
import { listAccessByValue, needsOf, missingRightProblemFor } from '../operations/operation-properties.ts';
import type { Principal } from '../context/principal.ts';

/** Throws the operation's problem for the first missing right. */
export function authorize(access: OperationAccess, principal: Principal): void {
  const missing = findMissingRight(needsOf(access), principal);
  if (missing !== undefined) throw createMissingRightProblem(access, missing);
}

/** Whether these rights are enough for an operation, on objects of at least one type. */
export const isAuthorized = (access: OperationAccess, rights: Rights): boolean =>
  listAccessByValue(access).some(([, each]) => findMissingRight(needsOf(each), rights) === undefined);

/** The reason of the problem for the first missing right; undefined if none is missing. */
export function findMissingRightReason(access: OperationAccess, rights: Rights): string | undefined {
  const missing = findMissingRight(needsOf(access), rights);
  return missing === undefined ? undefined : missingRightReason(missing);
}

function createMissingRightProblem(access: OperationAccess, missing: MissingRight): Problem {
  const { code, reason } = missingRightProblemFor(access, missing);
  return new Problem(code, { detail: formatMissingRight(missing), ...(reason === undefined ? {} : { reason }) });
}

function formatMissingRight(missing: MissingRight): string {
  if (missing.kind === 'tab') return `The operation needs ${formatTabs(missing.tabs)}.`;
  if (missing.kind === 'permission') return `The operation needs the permission ${missing.permission}.`;
  return `The operation needs ${formatGrantLevel(missing.grantLevel)}.`;
}

/** `an assigned Tab` if any Tab is enough. */
export const formatTabs = (tabs: readonly Tab[]): string =>
  tabs === anyTab ? 'an assigned Tab' : `the Tab ${tabs.join(' or ')}`;

export const formatGrantLevel = (grantLevel: GrantLevel): string =>
  grantLevel === 'location' ? 'a grant for at least one location' : `a ${grantLevel}-wide grant`;
