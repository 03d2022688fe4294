// Knows whether the page has shown a list already.

export type ShownLists = { isEmpty(): boolean; add(): void };

export function createShownLists(): ShownLists {
  let isEmpty = true;
  return {
    isEmpty: () => isEmpty,
    add: () => {
      isEmpty = false;
    },
  };
}
