// Pairs the items of two lists of the same length.

export function pairItems<A, B>(ones: readonly A[], others: readonly B[]): [A, B][] {
  if (ones.length !== others.length) throw new Error(`${ones.length} items have no ${others.length} partners`);
  return ones.map((one, index) => [one, others[index] as B]);
}
