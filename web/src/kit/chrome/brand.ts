import type { Brand } from '@farlink/contract/market/brand.ts';
import { useSyncExternalStore } from 'react';

/** Name and logo of the operator: of the host before the login, then of the VNO of the session. */
let brand: Brand = { name: '', logo: null };
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** First character of a name, for places that are too small for a logo. */
export const initialOf = (name: string): string => Array.from(name.trim())[0]?.toLocaleUpperCase() ?? '';

const iconOf = ({ name, logo }: Brand) => {
  if (logo === null) return '/favicon.svg';
  const letter = initialOf(name).replace(/[<>&]/g, '');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#334155"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="600" fill="#fff" text-anchor="middle">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};

export const setBrand = (next: Brand) => {
  if (next.name === brand.name && next.logo === brand.logo) return;
  brand = next;
  document.querySelector('link[rel=icon]')?.setAttribute('href', iconOf(next));
  for (const listener of listeners) listener();
};

export const useBrand = (): Brand => useSyncExternalStore(subscribe, () => brand);
