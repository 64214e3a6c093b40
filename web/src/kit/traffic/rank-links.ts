import type { Filters } from '../list/list-state.ts';

/** Filters that select the subject; the others select period and scope. */
const subjects = ['protocol_id', 'account', 'device_id'];

/** The same page for another application, account or device, with the other filters kept. */
export const routeWith = (route: string, filters: Filters, subject: Filters): string => {
  const kept = Object.entries(filters).filter(([name]) => !subjects.includes(name));
  const query = new URLSearchParams([...kept, ...Object.entries(subject)]).toString();
  return query === '' ? route : `${route}?${query}`;
};

/** Bytes that are not in the listed applications. */
export const otherBytes = (listed: readonly { readonly total_bytes: number }[], total: number): number =>
  total - listed.reduce((sum, { total_bytes }) => sum + total_bytes, 0);
