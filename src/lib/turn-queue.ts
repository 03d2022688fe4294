// A queue whose groups take turns. Each item waits in a group: groups take turns, within a group its subgroups do, and
// within the innermost group the items come in the order in which they were added. So a group with many items does not
// keep another one waiting for longer than a turn.

/** The names of a group, the outermost first, such as a tenant and a manager. */
export type GroupPath = readonly string[];

export class TurnQueue<T> {
  /** In the order of their next turns. */
  readonly #groups = new Map<string, TurnQueue<T>>();
  /** The items that are in no group of this one, which come first. */
  readonly #items = new Set<T>();

  get isEmpty(): boolean {
    return this.#items.size === 0 && this.#groups.size === 0;
  }

  /** An item is in the queue once. A group without items has its first turn after all groups that wait already. */
  add(item: T, [name, ...rest]: GroupPath): void {
    if (name === undefined) {
      this.#items.add(item);
      return;
    }
    const group = this.#groups.get(name) ?? new TurnQueue<T>();
    group.add(item, rest);
    this.#groups.set(name, group);
  }

  /** Removes an item that was added with this path. */
  delete(item: T, [name, ...rest]: GroupPath): void {
    if (name === undefined) {
      this.#items.delete(item);
      return;
    }
    const group = this.#groups.get(name);
    group?.delete(item, rest);
    if (group?.isEmpty === true) this.#groups.delete(name);
  }

  /** Removes and returns the item whose turn it is; undefined if the queue is empty. */
  shift(): T | undefined {
    const [item] = this.#items;
    if (item !== undefined) {
      this.#items.delete(item);
      return item;
    }
    const [next] = this.#groups;
    if (next === undefined) return undefined;
    const [name, group] = next;
    this.#groups.delete(name);
    const first = group.shift();
    // The last one from now on.
    if (!group.isEmpty) this.#groups.set(name, group);
    return first;
  }
}
