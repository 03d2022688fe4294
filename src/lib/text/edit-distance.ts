// Counts the typing errors between two words.

/** How many letters have to be replaced, inserted, removed, or exchanged with their neighbour (optimal string alignment). */
export function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const cell = (up: number, left: number): number => (up === 0 ? row : rows[i - up])?.[j - left] ?? 0;
      row.push(
        Math.min(cell(1, 0) + 1, cell(0, 1) + 1, cell(1, 1) + (isSame ? 0 : 1), isSwapped ? cell(2, 2) + 1 : Infinity),
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
