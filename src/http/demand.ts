// Whether a principal holds what an operation needs; the refusal names the first thing missing in the group's own words.

import { Problem } from '../lib/problem.ts';
import { anyTab, type Tab } from '../permissions/matrix.ts';
import { firstMissing, type Missing } from '../permissions/needs.ts';
import { needsOf, refusalFor, type Access } from './operation.ts';
import type { Principal } from './principal.ts';

/** Throws the group's refusal for the first thing missing. */
export function demand(access: Access, principal: Principal): void {
  const missing = firstMissing(needsOf(access), principal);
  if (missing !== undefined) throw refusalOf(access, missing);
}

function refusalOf(access: Access, missing: Missing): Problem {
  const { code, reason } = refusalFor(access, missing);
  return new Problem(code, { detail: inWords(missing), ...(reason === undefined ? {} : { reason }) });
}

function inWords(missing: Missing): string {
  if (missing.kind === 'tab') return `The operation needs ${tabsInWords(missing.tabs)}.`;
  if (missing.kind === 'permission') return `The operation needs the permission ${missing.permission}.`;
  return `The operation needs a ${missing.breadth}-wide grant.`;
}

/** `an assigned Tab` where any will do. */
export const tabsInWords = (tabs: readonly Tab[]): string =>
  tabs === anyTab ? 'an assigned Tab' : `the Tab ${tabs.join(' or ')}`;
