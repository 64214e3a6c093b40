import { announcementResource } from '@farlink/contract/advanced/announcement.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useState } from 'react';
import { relativeText, timeText } from '../../ui/format.ts';
import { Button } from '../../ui/native/button.tsx';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { Tag } from '../../ui/native/tag.tsx';
import { lang, t } from '../chrome/lang.ts';
import { CallError } from '../net/call.ts';
import { useMarkRead, useReceivedAnnouncements } from './use-announcements.ts';
import './announcement-list.css';

const texts = {
  none: ['暂无公告', 'No notices'],
  noneHint: ['收到的公告在过期前显示在这里', 'Received notices are shown here until they expire'],
  failed: ['公告加载失败', 'The notices could not be loaded'],
  retry: ['重试', 'Retry'],
  unread: ['未读', 'Unread'],
  unreadCount: ['{0} 条未读', '{0} unread'],
  allRead: ['全部已读', 'All read'],
  markAll: ['全部标为已读', 'Mark all as read'],
  until: ['{0} 过期', 'Expires {0}'],
} as const satisfies Record<string, Text>;

type Announcement = NonNullable<ReturnType<typeof useReceivedAnnouncements>['data']>['list'][number];

const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof CallError)) throw error;
};

const AnnouncementItem = ({ announcement, onOpen }: { readonly announcement: Announcement; readonly onOpen: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const source = announcementResource.fields.source.options?.find(({ id }) => id === announcement.source);
  const isUnread = announcement.is_read !== true;
  const toggle = () => {
    setOpen(!isOpen);
    if (!isOpen && isUnread) onOpen();
  };
  return (
    <li className="announcement-item" data-unread={isUnread || undefined}>
      <button type="button" className="choice" aria-expanded={isOpen} onClick={toggle}>
        <span className="row announcement-title">
          {isUnread && <span className="dot" role="img" aria-label={t(texts.unread)} />}
          <strong>{announcement.title}</strong>
        </span>
        <span className="row wrap muted small announcement-facts">
          {source && <Tag color={source.color}>{t(source.label)}</Tag>}
          {announcement.publisher && <span>{announcement.publisher}</span>}
          <time title={timeText(announcement.send_at)}>{relativeText(announcement.send_at, lang)}</time>
        </span>
        {!isOpen && <span className="cut muted">{announcement.content}</span>}
      </button>
      {isOpen && (
        <div className="announcement-text">
          <p>{announcement.content}</p>
          <span className="muted small">{t(texts.until, timeText(announcement.expire_at))}</span>
        </div>
      )}
    </li>
  );
};

/** Received announcements, newest first. Opening one marks it as read, unless the operator works as another account. */
export const AnnouncementList = ({ canMark }: { readonly canMark: boolean }) => {
  const { data, isError, refetch } = useReceivedAnnouncements();
  const markRead = useMarkRead();
  const mark = (ids?: readonly number[]) => void (canMark && markRead(ids).catch(ignoreRefusal));
  if (isError)
    return (
      <EmptyState title={t(texts.failed)}>
        <Button onClick={() => void refetch()}>{t(texts.retry)}</Button>
      </EmptyState>
    );
  if (!data) return null;
  if (data.list.length === 0) return <EmptyState title={t(texts.none)} hint={t(texts.noneHint)} />;
  const unread = data.list.filter(({ is_read }) => is_read !== true).length;
  return (
    <>
      <div className="row spread announcement-head">
        <span className="muted">{unread > 0 ? t(texts.unreadCount, unread) : t(texts.allRead)}</span>
        {canMark && unread > 0 && (
          <Button size="small" onClick={() => mark()}>
            {t(texts.markAll)}
          </Button>
        )}
      </div>
      <ul>
        {data.list.map((announcement) => (
          <AnnouncementItem key={announcement.id} announcement={announcement} onOpen={() => mark([announcement.id])} />
        ))}
      </ul>
    </>
  );
};
