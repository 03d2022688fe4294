// Orders items that wait for their turn, by key.

/** Whose an item is, the outermost key first: such as a tenant, then its manager. */
export type KeyPath = readonly string[];

type ShiftOptions = {
  /** Whether items of the path, or below it, may have a turn now; the others keep theirs. */
  readonly mayTake: (path: KeyPath) => boolean;
  /** Which of two keys of the same group comes first; where it is neither, and without this, it is the order of turns. */
  readonly compare?: ((a: KeyPath, b: KeyPath) => number) | undefined;
};

/**
 * Keys take turns, within a key the subkeys take turns, and items of one path come in the order in which the items were
 * added. So a key with many items does not make another key wait for longer than a turn.
 */
export class TurnQueue<T> {
  /** In the order of their next turns. */
  readonly #groups = new Map<string, TurnQueue<T>>();
  /** Those of this very path, which come before those of longer ones. */
  readonly #items = new Set<T>();

  get isEmpty(): boolean {
    return this.#items.size === 0 && this.#groups.size === 0;
  }

  get size(): number {
    return Array.from(this.#groups.values()).reduce((sum, group) => sum + group.size, this.#items.size);
  }

  /** How many items have this very path. */
  count([name, ...rest]: KeyPath): number {
    return name === undefined ? this.#items.size : (this.#groups.get(name)?.count(rest) ?? 0);
  }

  /** An item is in the queue once. A key without items has its first turn after all keys that wait already. */
  add(item: T, [name, ...rest]: KeyPath): void {
    if (name === undefined) this.#items.add(item);
    else this.#groups.getOrInsertComputed(name, () => new TurnQueue()).add(item, rest);
  }

  /** Removes an item that was added with this path. */
  delete(item: T, [name, ...rest]: KeyPath): void {
    if (name === undefined) {
      this.#items.delete(item);
      return;
    }
    const group = this.#groups.get(name);
    group?.delete(item, rest);
    if (group?.isEmpty === true) this.#groups.delete(name);
  }

  /** Removes and returns the item whose turn it is; undefined where there is none. `path` is that of this queue. */
  shift(options: ShiftOptions, path: KeyPath = []): T | undefined {
    const [item] = this.#items;
    if (item !== undefined) {
      this.#items.delete(item);
      return item;
    }
    const { mayTake, compare } = options;
    const pathOf = (name: string): KeyPath => [...path, name];
    const inOrder =
      compare === undefined ? this.#groups : [...this.#groups].toSorted(([a], [b]) => compare(pathOf(a), pathOf(b)));
    for (const [name, group] of inOrder) {
      const first = mayTake(pathOf(name)) ? group.shift(options, pathOf(name)) : undefined;
      if (first === undefined) continue;
      // The last one from now on.
      this.#groups.delete(name);
      if (!group.isEmpty) this.#groups.set(name, group);
      return first;
    }
    return undefined;
  }

  /** The items of the path that has the most. */
  longest(): readonly T[] {
    const candidates = [[...this.#items], ...Array.from(this.#groups.values(), (group) => group.longest())];
    return candidates.reduce((longest, each) => (each.length > longest.length ? each : longest));
  }
}
