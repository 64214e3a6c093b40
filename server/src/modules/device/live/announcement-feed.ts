import { countUnread } from '../../../domain/announcement/received.ts';
import type { Deps } from '../../../kit/deps.ts';
import { ChangeQueue, type Changes } from './change-queue.ts';
import type { LiveClient } from './client.ts';
import type { Subscribers } from './subscribers.ts';

/** Adds the number of unread announcements to the next update of each client, with one query for all. */
const addCounts = async ({ db, clock }: Deps, clients: readonly LiveClient[]) => {
  if (clients.length === 0) return;
  const counts = await countUnread(db, [...new Set(clients.map(({ me }) => me.uid))], clock.now());
  for (const client of clients) client.update.notices = counts.get(client.me.uid);
};

/** The received announcements of the operators with an open console. */
export const openAnnouncementFeed = (deps: Deps, subscribers: Subscribers) => {
  let changes = 0;
  const readers = () => subscribers.all().filter(({ watching }) => watching.notices);

  const send = async (changed: Changes<'notice'>) => {
    const clients = readers().filter(({ me }) => changed.has(me.uid));
    await addCounts(deps, clients);
    for (const client of clients) client.send();
  };
  const queue = new ChangeQueue(send, (err) => deps.log.warn({ err }, 'live notice update failed'));

  const change = (whose: number | 'all') => {
    changes++;
    const uids = readers().flatMap(({ me }) => (whose === 'all' || whose === me.uid ? [me.uid] : []));
    if (uids.length > 0) queue.add(uids, ['notice']);
  };

  return {
    change,
    /** Adds the count to the first update of a stream. A change during the query makes it outdated, so it is sent again. */
    start: async (client: LiveClient) => {
      if (!client.watching.notices) return;
      const before = changes;
      await addCounts(deps, [client]);
      if (changes !== before) change(client.me.uid);
    },
    close: () => queue.close(),
  };
};
