// Generates docs/import-columns.md from the kinds of imports.

import type { ImportColumn, ImportKind } from '../../src/features/import-kinds/import-kind.ts';
import { importKinds } from '../../src/features/import-kinds/import-kinds.ts';
import { keyColumns } from '../../src/features/import-profiles/rules/default-profile.ts';
import { needsOf } from '../../src/http/operations/operation-properties.ts';
import { code, codes, page, table } from './markdown.ts';

export function createImportColumnsPage(): string {
  return page(
    '# Columns of imports and exports',
    'The kinds in the order in which a tenant is built up. [imports.md](imports.md) says how files are read, and what a plan does. `portal import template KIND` prints a file with these columns.',
    'Generated from the kinds by `npm run docs`.',
    `Every kind has ${codes(keyColumns.map(({ field }) => field))}: ${keyColumns.map(({ field, description }) => `${code(field)}: ${description}`).join(' ')}`,
    ...Object.values(importKinds).flatMap(createSection),
  );
}

function createSection({ name, belongsTo, access, columns, isAppendOnly, isDeactivatable }: ImportKind): string[] {
  const { permissions, grantLevel } = needsOf(access);
  const facts = [
    belongsTo === 'bank' ? 'Needs `bankKid`.' : 'Belongs to no bank.',
    `Needs ${codes(permissions)} for the whole ${grantLevel}.`,
    isAppendOnly === true ? 'What is there cannot be changed by another file.' : '',
    isDeactivatable === true ? 'What a full file lacks can be deactivated.' : '',
  ];
  const rows = columns.map((column) => [
    code(column.field),
    describe(column),
    column.example === '' ? '' : code(column.example),
  ]);
  return [`## ${name}`, facts.filter((fact) => fact !== '').join(' '), table(['Column', 'Meaning', 'Example'], rows)];
}

const describe = ({ description, isRequired, references }: ImportColumn): string =>
  [
    isRequired === true ? 'Required.' : '',
    description,
    references === undefined ? '' : `A key, a KID or a name of ${references}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
