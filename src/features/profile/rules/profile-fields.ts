// Checks the values of a manager's own profile fields, and turns them into columns.

import type { FieldFault } from '../../../lib/values/field-faults.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { parseName, parseText, type FieldResult } from '../../../lib/values/field-values.ts';
import type { Problem } from '../../../lib/problem.ts';
import { mayHavePersonIcon } from '../../icons/rules/person-icons.ts';

export const profileFields = ['Name', 'Organisation', 'PersonIcon', 'Theme', 'RetentionDays'] as const;
type ProfileField = (typeof profileFields)[number];

/** System, Light, Dark. */
export const themes = { first: 0, last: 2 } as const;
export const maxRetentionDays = 3650;

const maxOrganisationLength = 200;

/** The columns of a profile, and their names in the audit log. */
const fieldsByColumn = {
  name: 'name',
  organisation: 'organisation',
  person_icon: 'personIcon',
  theme: 'theme',
  retention_days: 'retentionDays',
  email: 'email',
  email_verified: 'emailVerified',
} as const;

type ProfileColumn = keyof typeof fieldsByColumn;

type StoredProfile = {
  readonly name: string;
  readonly organisation: string;
  readonly person_icon: string;
  readonly theme: number;
  /** Null has the same effect as 0. */
  readonly retention_days: number | null;
  readonly email: string;
  readonly email_verified: number;
};

export type ProfileColumns = Partial<StoredProfile>;

/** The columns whose values differ. */
export const listChangedProfileFields = (row: StoredProfile, changes: ProfileColumns): ProfileColumn[] =>
  (Object.keys(changes) as ProfileColumn[]).filter((column) => changes[column] !== (row[column] ?? 0));

/** The values of these columns, by their names in the audit log. */
export const pickFields = (row: StoredProfile, columns: readonly ProfileColumn[]): Record<string, string | number> =>
  Object.fromEntries(columns.map((column) => [fieldsByColumn[column], row[column] ?? 0]));

/** Throws 400 `invalid-profile`. */
export function parseProfileField(
  field: ProfileField,
  value: string | number,
  current: Pick<StoredProfile, 'person_icon'>,
): ProfileColumns {
  switch (field) {
    case 'Name':
      return { name: requireText(value, parseName) };
    case 'Organisation':
      return { organisation: requireText(value, (text) => parseText(text, maxOrganisationLength)) };
    case 'PersonIcon':
      return { person_icon: requireText(value, (name) => parsePersonIcon(name, current.person_icon)) };
    case 'Theme':
      return { theme: requireInteger(value, themes.first, themes.last) };
    case 'RetentionDays':
      return { retention_days: requireInteger(value, 0, maxRetentionDays) };
  }
}

export const createInvalidProfileProblem = (path: string, fault: string | FieldFault): Problem =>
  createFieldProblem(path, fault, 'invalid-profile');

const valuePath = 'body.value';

const parsePersonIcon = (name: string, current: string): FieldResult =>
  mayHavePersonIcon(name, current)
    ? { value: name }
    : { reason: 'must be one of availablePersonIcons', code: 'not-in-list' };

function requireText(value: string | number, parse: (text: string) => FieldResult): string {
  if (typeof value !== 'string') throw createInvalidProfileProblem(valuePath, 'must be text');
  const result = parse(value);
  if ('reason' in result) throw createInvalidProfileProblem(valuePath, result);
  return result.value;
}

/** A string is refused even if it has only digits. */
function requireInteger(value: string | number, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  const reason = `must be a whole number from ${least} to ${most}`;
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw createInvalidProfileProblem(valuePath, { reason, code: 'not-a-number' });
  const bound: FieldFault =
    value < least
      ? { reason, code: 'too-small', limit: String(least) }
      : { reason, code: 'too-large', limit: String(most) };
  throw createInvalidProfileProblem(valuePath, bound);
}
