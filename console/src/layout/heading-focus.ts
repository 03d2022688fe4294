// Moves the focus to the heading of the screen that the reader has gone to: a screen reader begins there.

/** Returns what to call after each navigation. A screen that is still being read has its heading later. */
export function createHeadingFocus(): () => void {
  let observer: MutationObserver | undefined;
  return () => {
    observer?.disconnect();
    observer = undefined;
    if (focusHeading()) return;
    observer = new MutationObserver(() => {
      if (isInScreen() || focusHeading()) observer?.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  };
}

/** Whoever has gone on by keyboard meanwhile stays there. */
const isInScreen = (): boolean => document.querySelector('main')?.contains(document.activeElement) === true;

/** Returns whether there is one. */
function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}
