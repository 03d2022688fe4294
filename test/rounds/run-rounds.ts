// Runs rounds: long tests of a promise under faults, load or attacks, which print their figures. Each has a short form
// for every change and a long one.

import { parseArgs } from 'node:util';
import { formatSeconds } from '../runner/progress.ts';
import { reasonWithout, type Program } from '../support/programs.ts';

/** What a round counted: requests tried, faults, writes lost, milliseconds. */
export type RoundFigures = Readonly<Record<string, number | string>>;

export type RoundOptions = {
  /** The whole of it, in place of the short form. */
  readonly isLong: boolean;
  /** The same seed makes the same random choices. */
  readonly seed: string;
};

export type Round = {
  /** In words that `npm run … -- WORD` selects by. */
  readonly name: string;
  /** Programs of the machine; a round without them is skipped, which fails where CI=true. */
  readonly needs?: readonly Program[];
  /** Throws where the promise does not hold. */
  run(options: RoundOptions): Promise<RoundFigures>;
};

/** Arguments: `--long`, `--seed TEXT`, and parts of the names of rounds. Sets the exit code. */
export async function runRounds(rounds: readonly Round[]): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { long: { type: 'boolean', default: false }, seed: { type: 'string', default: String(Date.now()) } },
    allowPositionals: true,
  });
  const chosen = rounds.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
  const counts = { passed: 0, failed: chosen.length === 0 ? 1 : 0, skipped: 0 };
  console.log(`seed ${values.seed}`);
  for (const round of chosen) {
    const missing = reasonWithout(...(round.needs ?? []));
    if (missing === false) counts[await runRound(round, { isLong: values.long, seed: values.seed })] += 1;
    else {
      counts.skipped += 1;
      console.warn(`*** ${round.name} is SKIPPED: ${missing}. ***`);
    }
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  if (counts.failed > 0 || (process.env['CI'] === 'true' && counts.skipped > 0)) process.exitCode = 1;
}

async function runRound(round: Round, options: RoundOptions): Promise<'passed' | 'failed'> {
  const from = performance.now();
  try {
    const figures = await round.run(options);
    console.log(`✔ ${round.name}, ${formatSeconds(performance.now() - from)}`);
    for (const [name, value] of Object.entries(figures)) console.log(`    ${name}: ${value}`);
    return 'passed';
  } catch (error) {
    console.error(`✖ ${round.name}, ${formatSeconds(performance.now() - from)}`);
    console.error(error);
    return 'failed';
  }
}
