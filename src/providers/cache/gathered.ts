// Reads that are asked for while others are under way, and go together when those are done: a slow disk is waited for
// once, however many ask.

type ReadMany<T> = (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/** `readMany` never rejects. */
export function gathered<T>(readMany: ReadMany<T>): (key: string) => Promise<T | undefined> {
  let next: { readonly keys: Set<string>; readonly answer: ReturnType<ReadMany<T>> } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const gather = (): NonNullable<typeof next> => {
    const keys = new Set<string>();
    const answer = last.then(() => {
      next = undefined;
      return readMany([...keys]);
    });
    last = answer;
    return { keys, answer };
  };
  return async (key) => {
    next ??= gather();
    next.keys.add(key);
    return (await next.answer).get(key);
  };
}
