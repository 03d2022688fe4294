// A text as it was when the reader stopped typing, for what is asked of the service with it.

import { useEffect, useState } from 'react';

/** How long a reader pauses between letters. */
const typingPauseMs = 200;

export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
