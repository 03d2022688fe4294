// Assigns the files of a run to test processes: a single file runs directly, several files run through a generated
// module.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestProcesses {
  /** What is run, a path for each process. */
  readonly entries: readonly string[];
  /** The files of a process that has several; undefined for a file with a process of its own. */
  filesOf(entry: string): readonly string[] | undefined;
  remove(): void;
}

/** Files are given by their paths from the folder, those of a process together. */
export function createTestProcesses(folder: string, processes: readonly (readonly string[])[]): TestProcesses {
  const written = mkdtempSync(join(tmpdir(), 'portal-shared-'));
  const filesByEntry = new Map<string, readonly string[]>();
  const entries = processes.map((files, at) => {
    const [first = ''] = files;
    if (files.length === 1) return join(folder, first);
    const entry = join(written, `${at + 1}.test.mjs`);
    const runner = JSON.stringify(import.meta.resolve('./run-together.ts'));
    const lines = [
      `import { runTogether } from ${runner};`,
      `runTogether(${JSON.stringify(folder)}, ${JSON.stringify(files)});`,
    ];
    writeFileSync(entry, lines.join('\n'));
    filesByEntry.set(entry, files);
    return entry;
  });
  return {
    entries,
    filesOf: (entry) => filesByEntry.get(entry),
    remove: () => rmSync(written, { recursive: true, force: true }),
  };
}

/** Assigns files, longest first, to as few processes as possible with at most so many files each. */
export function dealOut(files: readonly string[], maxFiles: number): string[][] {
  const count = Math.ceil(files.length / maxFiles);
  return Array.from({ length: count }, (_, at) => files.filter((_file, index) => index % count === at));
}
