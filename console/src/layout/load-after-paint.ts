// The reaction to a press or a key, such as a tab that takes its colour, is shown before the next screen is made, which
// takes long on a slow computer (https://web.dev/articles/optimize-inp). The address changes at once.

import type { AnyRouter } from '@tanstack/react-router';

/** No frame comes where nobody looks. */
const longestFrameMs = 100;

/** Lets the router wait for the next frame wherever the application itself has changed the address. */
export function loadAfterPaint(router: AnyRouter): void {
  const { load } = router;
  let started = 0;
  router.load = async (options) => {
    started += 1;
    const own = started;
    const action = options?.action?.type;
    const isScreenShown = router.state.resolvedLocation !== undefined;
    if (isScreenShown && (action === 'PUSH' || action === 'REPLACE')) {
      // A second press starts from the new address.
      router.updateLatestLocation();
      await nextPaint();
      if (own !== started) return;
    }
    await load(options);
  };
}

const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, longestFrameMs);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });
