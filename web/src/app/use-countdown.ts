import { useEffect, useState } from 'react';

/** Remaining whole seconds, by the clock, so a sleeping tab stays correct. */
export const useCountdown = (from = 0) => {
  const [now, setNow] = useState(() => Date.now());
  const [until, setUntil] = useState(() => now + from * 1000);
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  const running = left > 0;

  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);

  const start = (seconds: number) => {
    setNow(Date.now());
    setUntil(Date.now() + seconds * 1000);
  };
  return { left, start };
};
