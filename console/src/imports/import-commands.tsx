// The commands of an import: to apply its plan, to cancel it, and to undo what was applied. Each says first, in numbers,
// what would be done, and what could not be taken back.

import type { JSX, ReactNode } from 'react';
import type { Client } from '../api/client.ts';
import type { Import } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import type { Version } from '../command/command-store.ts';
import { parseInteger } from '../command/exact-number.ts';
import { ChoiceField, NumberField } from '../command/fields.tsx';
import type { Errors } from '../command/command-types.ts';
import { useCommand } from '../command/use-command.ts';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { changingRows } from './import-numbers.tsx';

const names = { apply: 'apply', cancel: 'cancel', undo: 'undo' } as const;

/** What was imported can be shown by any screen: only the import itself is read again at once. */
const readsOfImports = ['GetImport', 'GetImports', 'GetImportRows'] as const;

/** More rows than these are not applied in one transaction (docs/imports.md). */
const maxAtomicRows = 5000;

type ImportProps = { readonly of: Import };

const canBeCancelled = ({ state }: Import): boolean => ['planning', 'planned', 'applying'].includes(state);

/** The rows that were applied, and neither taken back nor kept since. */
const undoableRows = ({ outcomes: { applied, undone, kept } }: Import): number => applied - undone - kept;

const canBeUndone = (found: Import): boolean =>
  ['applied', 'cancelled', 'undone'].includes(found.state) && undoableRows(found) > 0;

export function ImportButtons({ of: found }: ImportProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const { state } = found;
  return (
    <>
      {state === 'planned' && may(manager, 'ApplyImport') ? (
        <CommandButton
          name={names.apply}
          text={t('import.apply')}
          icon="ok"
          isMain
          reason={changingRows(found) === 0 ? t('import.nothingToDo') : undefined}
        />
      ) : undefined}
      {canBeUndone(found) && may(manager, 'UndoImport') ? (
        <CommandButton name={names.undo} text={t('import.undo')} icon="undo" />
      ) : undefined}
      {canBeCancelled(found) && may(manager, 'CancelImport') ? (
        <CommandButton name={names.cancel} text={t('import.cancel')} icon="close" />
      ) : undefined}
    </>
  );
}

export function ImportCommands({ of: found }: ImportProps): JSX.Element | undefined {
  const applied = useOpenCommand(names.apply, { id: 'ApplyImport' });
  const undone = useOpenCommand(names.undo, { id: 'UndoImport' });
  const cancelled = useOpenCommand(names.cancel, { id: 'CancelImport' });
  if (applied !== undefined && found.state === 'planned') return <ApplyDialog of={found} />;
  if (undone !== undefined && canBeUndone(found)) return <UndoDialog of={found} />;
  if (cancelled !== undefined && canBeCancelled(found)) return <CancelDialog of={found} />;
  return undefined;
}

type Approval = { readonly scope: string; readonly missing: string };

const scopes = { all: 'all', part: 'part' } as const;

function ApplyDialog({ of: found }: ImportProps): JSX.Element {
  const { t, formats } = useLanguage();
  const { kid: importKid, counts } = found;
  const changing = changingRows(found);
  const isPartOnly = counts.refused > 0 || changing > maxAtomicRows;
  const toVersion = ({ revision }: Import) => ({
    values: { scope: isPartOnly ? scopes.part : scopes.all, missing: '' } as Approval,
    revision,
  });
  const command = useCommand({
    name: names.apply,
    id: 'ApplyImport',
    stored: toVersion(found),
    check: ({ missing }): Errors<Approval> =>
      counts.missing === 0 || parseInteger(missing) === String(counts.missing)
        ? {}
        : { missing: t('import.wrongMissing', { count: counts.missing }) },
    request: ({ scope }, expectedRevision) => ({
      input: { importKid },
      body: {
        expectedRevision,
        allowPartial: scope === scopes.part,
        ...(counts.missing === 0 ? {} : { expectedMissing: counts.missing }),
      },
    }),
    reread: async (client: Client) => toVersion(await client.call('GetImport', { importKid })),
    invalidates: readsOfImports,
    done: () => ({ text: t('import.isApplying', { count: changing }) }),
  });
  return (
    <CommandDialog
      command={command}
      title={t('import.apply')}
      action={t('import.applyRows', { count: changing })}
      labels={{ scope: t('import.scope'), missing: t('import.missingCount') }}
    >
      <Numbers of={found} />
      <ChoiceField
        field={command.field('scope')}
        label={t('import.scope')}
        description={t(isPartOnly ? 'import.partOnly' : 'import.scopeHelp', { count: maxAtomicRows })}
        choices={[
          ...(isPartOnly ? [] : ([[scopes.all, t('import.allOrNothing')]] as const)),
          [scopes.part, t('import.partly')],
        ]}
        autoFocus
      />
      {counts.missing === 0 ? undefined : (
        <NumberField
          field={command.field('missing')}
          label={t('import.missingCount')}
          description={t('import.missingHelp', { missing: formats.number(counts.missing) })}
        />
      )}
      <p className="soft">{t(found.kind === 'postings' ? 'import.undoPostings' : 'import.undoLater')}</p>
    </CommandDialog>
  );
}

/** What the plan would do, and what it leaves out. */
function Numbers({ of: { counts } }: ImportProps): JSX.Element {
  const { t } = useLanguage();
  const lines: readonly (readonly [count: number, text: TextKey])[] = [
    [counts.create, 'import.willCreate'],
    [counts.update, 'import.willUpdate'],
    [counts.missing, 'import.willDisable'],
    [counts.unchanged, 'import.willKeep'],
    [counts.refused, 'import.willLeaveOut'],
  ];
  return <Sentences lines={lines.filter(([count]) => count > 0).map(([count, text]) => t(text, { count }))} />;
}

const Sentences = ({ lines }: { readonly lines: readonly ReactNode[] }): JSX.Element => (
  <ul className="sentences">
    {lines.map((line, index) => (
      <li key={index}>{line}</li>
    ))}
  </ul>
);

const toVersion = ({ revision }: Import): Version => ({ values: {}, revision });

function UndoDialog({ of: found }: ImportProps): JSX.Element {
  const { t } = useLanguage();
  const { kid: importKid } = found;
  const count = undoableRows(found);
  const command = useCommand({
    name: names.undo,
    id: 'UndoImport',
    stored: toVersion(found),
    request: (_, expectedRevision) => ({ input: { importKid }, body: { expectedRevision } }),
    reread: async (client: Client) => toVersion(await client.call('GetImport', { importKid })),
    invalidates: readsOfImports,
    done: () => ({ text: t('import.isUndoing', { count }) }),
  });
  return (
    <CommandDialog command={command} title={t('import.undo')} action={t('import.undoRows', { count })} isDanger>
      <Sentences
        lines={[
          t('import.willUndo', { count }),
          t(found.kind === 'postings' ? 'import.undoPostings' : 'import.undoObjects'),
          t('import.undoKeeps'),
          t('import.undoTold'),
        ]}
      />
    </CommandDialog>
  );
}

function CancelDialog({ of: found }: ImportProps): JSX.Element {
  const { t } = useLanguage();
  const { kid: importKid, state, outcomes } = found;
  const command = useCommand({
    name: names.cancel,
    id: 'CancelImport',
    stored: { values: {} },
    request: () => ({ input: { importKid } }),
    invalidates: readsOfImports,
    done: () => ({ text: t('import.isCancelled') }),
  });
  return (
    <CommandDialog command={command} title={t('import.cancel')} action={t('import.cancel')} isDanger>
      <p>
        {state === 'applying' ? t('import.cancelApplying', { count: outcomes.applied }) : t('import.cancelPlanned')}
      </p>
    </CommandDialog>
  );
}
