'use client';

import { useRef, useState } from 'react';

/** Runs one deed of a form at a time: presses while it runs are ignored, in the same tick too. */
export function useDeed() {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const run = async (deed: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await deed();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, run };
}
