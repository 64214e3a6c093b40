import { type AnnouncementCount, receivedAnnouncementCalls } from '@farlink/contract/advanced/announcement.ts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refresh, useLive } from '../live/use-live.ts';
import { call } from '../net/call.ts';

const countKey = ['notice', 'unread'];
const listKey = ['notice', 'received'];
const background = { silent: true, overlay: false } as const;

/** Timers hold at most 2^31 ms, about 24 days. */
const maxTimerMs = 2_147_483_647;
const shown = 50;

/** The profile has the first count. */
export const setAnnouncementCount = (client: QueryClient, count: AnnouncementCount) => client.setQueryData(countKey, count);

/** The number of unread announcements. The stream sends each change; the next expiry is known, so nothing is polled. */
export const useAnnouncementCount = (): AnnouncementCount | undefined => {
  const client = useQueryClient();
  const { data, dataUpdatedAt } = useQuery({
    queryKey: countKey,
    queryFn: () => call(receivedAnnouncementCalls.unread, {}, background),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  useLive({ notices: true }, ({ notices }) => {
    if (!notices) return;
    client.setQueryData(countKey, notices);
    void refresh(client, listKey);
  });
  const expiresIn = data?.expires_in ?? null;
  useEffect(() => {
    if (expiresIn === null) return;
    const leftMs = dataUpdatedAt + expiresIn * 1000 - Date.now();
    const timer = setTimeout(() => void refresh(client, ['notice']), Math.min(Math.max(leftMs, 0), maxTimerMs));
    return () => clearTimeout(timer);
  }, [client, expiresIn, dataUpdatedAt]);
  return data;
};

export const useReceivedAnnouncements = () =>
  useQuery({
    queryKey: listKey,
    queryFn: () => call(receivedAnnouncementCalls.received, { page: 1, limit: shown, filters: {} }, background),
    retry: false,
  });

/** Marks announcements as read: these, or all. Other tabs follow over the stream. */
export const useMarkRead = () => {
  const client = useQueryClient();
  return async (ids?: readonly number[]) => {
    const count = await call(receivedAnnouncementCalls.markRead, { ...(ids && { ids: [...ids] }) }, { overlay: false });
    client.setQueryData(countKey, count);
    await refresh(client, listKey);
  };
};
