// Creates a function that makes the value of a key once.

/** The value of a key is made when the value is first asked for: making a formatter takes far longer than using it. */
export function remember<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
