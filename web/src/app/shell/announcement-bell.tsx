import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense, useState } from 'react';
import { useAnnouncementCount } from '../../kit/announcement/use-announcements.ts';
import { t } from '../../kit/chrome/lang.ts';
import { Panel } from '../../ui/native/panel.tsx';
import { BellIcon } from '../../ui/theme/shell-icons.ts';
import { useIdentity } from '../identity.ts';
import { importRetry } from '../load-chunk.ts';

const AnnouncementList = lazy(async () => ({
  default: (await importRetry(() => import('../../kit/announcement/announcement-list.tsx'))).AnnouncementList,
}));

const title: Text = ['公告', 'Notices'];
const titleUnread: Text = ['公告，{0} 条未读', 'Notices, {0} unread'];
const most = 99;

/** The bell of the header: number of unread announcements, and the panel with all received ones. */
export const AnnouncementBell = () => {
  const { profile } = useIdentity();
  const [isOpen, setOpen] = useState(false);
  const unread = useAnnouncementCount()?.unread ?? 0;
  const label = unread > 0 ? t(titleUnread, unread) : t(title);
  return (
    <>
      <button
        type="button"
        className="icon-button bell"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <BellIcon aria-hidden />
        {unread > 0 && <span className="bell-count">{unread > most ? `${most}+` : unread}</span>}
      </button>
      {isOpen && (
        <Panel title={t(title)} onClose={() => setOpen(false)}>
          <Suspense>
            <AnnouncementList canMark={profile.acted_by === null} />
          </Suspense>
        </Panel>
      )}
    </>
  );
};
