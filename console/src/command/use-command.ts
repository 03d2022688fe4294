// Calls a write of the service, and keeps what was typed until the write is done.

import { useCallback, useState, useSyncExternalStore } from 'react';
import { longestTexts } from '../api/limits.ts';
import type { Answer, WriteId } from '../api/client.ts';
import { keyedOperations } from '../api/operations.ts';
import type { Problem } from '../api/problem.ts';
import { textOfFault, type ProblemText } from '../api/problem-texts.ts';
import { may } from '../api/rights.ts';
import type { LanguageState } from '../language/language-store.ts';
import { useLanguage, useManager, usePortal } from '../portal.tsx';
import { useCommandAddress, useDraftKey } from './command-address.ts';
import type { CommandEntry, Values, Version } from './command-store.ts';
import type { Command, CommandOptions, Errors, Field, FieldOptions, KeptEntry } from './command-types.ts';
import { nameOfPath } from './field-path.ts';
import { isSameValue } from './merge-versions.ts';
import { useRun } from './use-run.ts';

/**
 * An attempt has one Idempotency-Key, which is kept after a lost answer: an attempt that is sent again is not done
 * twice. What was typed is kept until the write is done (`command-store.ts`). If a revision is stale, the manager
 * chooses between two versions. After the write, what has changed is read again, and the manager is told the result.
 */
export function useCommand<Id extends WriteId, V extends Values, Result = Answer<Id>>(
  options: CommandOptions<Id, V, Result>,
): Command<V, Result> {
  const { name, id, stored } = options;
  const manager = useManager();
  const address = useCommandAddress();
  const kept = useEntry(name, options);
  const { entry, keep, forget } = kept;
  const [answer, setAnswer] = useState<Result>();
  const [isResumed] = useState(entry !== undefined);
  const { errors, fieldOf, check } = useFields(options, kept);
  const { run, readAgain } = useRun(options, kept, setAnswer);
  const base = (entry?.base ?? stored) as Version<V>;
  const values = (entry?.values ?? stored.values) as V;
  return {
    name,
    values,
    base,
    answer,
    theirs: entry?.theirs as Version<V> | undefined,
    isChanged: Object.keys(values).some((each) => !isSameValue(values[each] ?? '', base.values[each] ?? '')),
    isSending: entry?.isSending === true,
    isAllowed: options.isAllowed ?? may(manager, id),
    isResumed: isResumed && entry !== undefined,
    problem: entry?.problem,
    isUncertain: entry?.attempt !== undefined && !entry.isSending,
    isKeyed: keyedOperations.has(id),
    errors,
    field: fieldOf,
    send: async () => {
      if (check(values)) await run(values, base);
    },
    resolve: (merged) => keep({ values: merged, base: entry?.theirs ?? base, theirs: undefined, problem: undefined }),
    close: () => {
      if (options.isSecret === true) forget();
      address.close(name);
    },
    discard: () => {
      forget();
      address.close(name);
    },
    look: () => {
      address.close(name);
      void readAgain();
    },
  };
}

const limits: Readonly<Partial<Record<WriteId, Readonly<Record<string, number>>>>> = longestTexts;

/** The fields, each with its value and what is wrong with it. */
function useFields<V extends Values>(
  { id, stored, check }: FieldOptions<V> & { readonly id: WriteId },
  { entry, keep, readEntry }: KeptEntry,
) {
  const [errors, setErrors] = useState<Errors<V>>({});
  const language = useLanguage();
  return {
    errors,
    /** Whether the console can make sense of what was typed. */
    check: (values: V): boolean => {
      const found = check?.(values) ?? {};
      setErrors(found);
      return Object.values(found).every((error) => error === undefined);
    },
    fieldOf: <Name extends keyof V & string>(name: Name): Field<V[Name]> => ({
      name,
      value: (entry?.values ?? stored.values)[name] as V[Name],
      change: (value) => {
        setErrors((before) => ({ ...before, [name]: undefined }));
        keep({ values: { ...(readEntry()?.values ?? stored.values), [name]: value } });
      },
      error: errors[name],
      serviceErrors: errorsOf(entry?.problem, name, language),
      isDisabled: entry?.isSending === true,
      maxLength: limits[id]?.[name],
    }),
  };
}

type EntryOptions = { readonly stored: Version; readonly isSecret?: boolean };

/** What is kept of a command, and how it changes. */
function useEntry(name: string, { stored, isSecret = false }: EntryOptions): KeptEntry {
  const { commands } = usePortal();
  const { kid: owner } = useManager();
  const key = useDraftKey(name);
  const readEntry = useCallback(() => commands.read(key, owner), [commands, key, owner]);
  const entry = useSyncExternalStore(commands.subscribe, readEntry);
  const begun: CommandEntry = { owner, base: stored, values: stored.values, isSecret, isSending: false };
  return {
    entry,
    readEntry,
    keep: (change) => commands.write(key, { ...(readEntry() ?? begun), ...change }),
    forget: useCallback(() => commands.remove(key), [commands, key]),
    finish: () => commands.finish(key),
  };
}

const errorsOf = (problem: Problem | undefined, name: string, language: LanguageState): readonly ProblemText[] =>
  (problem?.errors ?? []).filter(({ path }) => nameOfPath(path) === name).map((error) => textOfFault(error, language));
