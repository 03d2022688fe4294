// Lists what a run did not prove on this machine, and which packages would prove it.
import { isForWant, packagesOf } from '../support/programs.ts';
import type { RuleCheck } from './conformance.ts';
import type { TestOutcome } from './run-files.ts';

/** Of so many files the suites of one name are listed one by one. */
const maxFilesOneByOne = 3;

/** The lines of the list; none where nothing was skipped for want of something. */
export function describeUnproven(outcomes: readonly TestOutcome[], unproven: RuleCheck['unproven']): string[] {
  const byReason = Map.groupBy(
    outcomes.filter(({ reason }) => isForWant(reason)),
    ({ reason = '' }) => reason,
  );
  if (byReason.size === 0) return [];
  // Files finish in any order.
  const inOrder = [...byReason].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = inOrder.flatMap(([reason, skipped]) => {
    const ids = unproven.filter(({ reasons }) => reasons.includes(reason)).map(({ id }) => id);
    return [
      `  ${reason}`,
      ...(ids.length > 0 ? [`    rules that no test proved: ${ids.join(', ')}`] : []),
      ...describeTests(skipped).map((line) => `    ${line}`),
    ];
  });
  const packages = [...new Set([...byReason.keys()].flatMap(packagesOf))];
  return [
    'Not proven by this run:',
    ...lines,
    ...(packages.length > 0 ? [`To prove it, on Debian: apt-get install ${packages.toSorted().join(' ')}`] : []),
  ];
}

function describeTests(skipped: readonly TestOutcome[]): string[] {
  const filesByName = Map.groupBy(skipped, ({ name }) => name);
  return [...filesByName].flatMap(([name, tests]) =>
    tests.length > maxFilesOneByOne
      ? [`"${name}" in ${tests.length} files`]
      : tests.map(({ file }) => `${file}: ${name}`),
  );
}
