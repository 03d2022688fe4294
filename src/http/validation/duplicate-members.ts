// Finds names that an object of a JSON text has more than once. JSON.parse silently keeps the last of them, and a proxy
// in front may have read the first (RFC 8259, 4).

import { visit } from 'jsonc-parser';

/** The path to the first of them: names of members and indexes of items. The text is valid JSON. */
export function findDuplicateMember(text: string): readonly (string | number)[] | undefined {
  const membersOfObjects: Set<string>[] = [];
  let duplicate: readonly (string | number)[] | undefined;
  visit(text, {
    onObjectBegin: () => void membersOfObjects.push(new Set()),
    onObjectEnd: () => void membersOfObjects.pop(),
    onObjectProperty: (name, ...[, , , , getPath]) => {
      const members = membersOfObjects.at(-1);
      if (members?.has(name) === true) duplicate ??= [...getPath(), name];
      members?.add(name);
    },
  });
  return duplicate;
}
