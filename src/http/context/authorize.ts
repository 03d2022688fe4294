// Whether a principal holds what an operation needs; the refusal names the first thing missing in the group's own words.

import { Problem } from '../../lib/problem.ts';
import { anyTab, type Tab } from '../../permissions/matrix.ts';
import { findMissingRight, type MissingRight, type Rights } from '../../permissions/needs.ts';
import type { OperationAccess } from '../operation.ts';
import { needsOf, missingRightProblemFor } from '../operation-properties.ts';
import type { Principal } from './principal.ts';

/** Throws the group's refusal for the first thing missing. */
export function authorize(access: OperationAccess, principal: Principal): void {
  const missing = findMissingRight(needsOf(access), principal);
  if (missing !== undefined) throw createMissingRightProblem(access, missing);
}

/** Whether these rights are enough for an operation. */
export const isAuthorized = (access: OperationAccess, rights: Rights): boolean =>
  findMissingRight(needsOf(access), rights) === undefined;

function createMissingRightProblem(access: OperationAccess, missing: MissingRight): Problem {
  const { code, reason } = missingRightProblemFor(access, missing);
  return new Problem(code, { detail: formatMissingRight(missing), ...(reason === undefined ? {} : { reason }) });
}

function formatMissingRight(missing: MissingRight): string {
  if (missing.kind === 'tab') return `The operation needs ${formatTabs(missing.tabs)}.`;
  if (missing.kind === 'permission') return `The operation needs the permission ${missing.permission}.`;
  return `The operation needs a ${missing.grantLevel}-wide grant.`;
}

/** `an assigned Tab` where any will do. */
export const formatTabs = (tabs: readonly Tab[]): string =>
  tabs === anyTab ? 'an assigned Tab' : `the Tab ${tabs.join(' or ')}`;
