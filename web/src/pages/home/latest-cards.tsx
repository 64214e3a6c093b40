import { feedbackResource } from '@farlink/contract/feedback/feedback.ts';
import { homeDashboard } from '@farlink/contract/home/home.ts';
import type { Latest, LatestAnnouncement, PendingFeedback } from '@farlink/contract/home/summary.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { Link } from 'react-router';
import { offersOf } from '../../kit/actions/action-state.ts';
import { usePageActions } from '../../kit/actions/use-page-actions.tsx';
import { useMarkRead } from '../../kit/announcement/use-announcements.ts';
import { lang, t } from '../../kit/chrome/lang.ts';
import { useMe } from '../../kit/net/session.ts';
import { tips } from '../../ui/browser/tip.ts';
import { numberText, relativeText, timeText } from '../../ui/format.ts';
import { Tag } from '../../ui/native/tag.tsx';
import { HomeCard } from './home-card.tsx';
import { homeLinks } from './home-links.ts';

const texts = {
  feedback: ['待处理反馈', 'Pending feedback'],
  noFeedback: ['没有待处理的反馈', 'No pending feedback'],
  notices: ['最新公告', 'Latest notices'],
  noNotices: ['暂无公告', 'No notices'],
  unread: ['未读', 'Unread'],
  count: ['共 {0} 条', '{0} in total'],
} as const satisfies Record<string, Text>;

const OptionTag = ({ field, value }: { readonly field: Field; readonly value: string }) => {
  const found = field.options?.find(({ id }) => id === value);
  return found ? <Tag color={found.color}>{t(found.label)}</Tag> : null;
};

const When = ({ at }: { readonly at: number }) => (
  <time className="muted" data-tip={timeText(at)}>
    {relativeText(at, lang)}
  </time>
);

export const FeedbackCard = ({ feedback }: { readonly feedback: Latest<PendingFeedback> | null | undefined }) => {
  const { type, level, content, account, create_at } = feedbackResource.fields;
  return (
    <HomeCard
      title={texts.feedback}
      area="feedback"
      data={feedback}
      head={
        feedback && (
          <Link className="act" to={homeLinks.feedback()}>
            {t(texts.count, numberText(feedback.total))}
          </Link>
        )
      }
    >
      {({ list }) =>
        list.length === 0 ? (
          <p className="muted home-none">{t(texts.noFeedback)}</p>
        ) : (
          <table className="home-table" {...tips}>
            <thead>
              <tr>
                {[type, level, content, account, create_at].map(({ label }) => (
                  <th key={label[0]} scope="col">
                    <span className="visually-hidden">{t(label)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {list.map((row) => (
                <tr key={row.id}>
                  <td>
                    <OptionTag field={type} value={row.type} />
                  </td>
                  <td>
                    <OptionTag field={level} value={row.level} />
                  </td>
                  <td data-tip="">{row.content}</td>
                  <td data-tip="">{row.account}</td>
                  <td>
                    <When at={row.create_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </HomeCard>
  );
};

export const AnnouncementCard = ({ notices }: { readonly notices: Latest<LatestAnnouncement> | null | undefined }) => {
  const me = useMe();
  const actions = usePageActions(homeDashboard, {});
  const { title, source, create_at } = homeDashboard.resource.fields;
  const canView = offersOf(homeDashboard, 'row', me).length > 0;
  const markRead = useMarkRead();
  const view = (row: LatestAnnouncement) => {
    actions.act('noticeDetail', { ...row });
    if (!row.is_read) void markRead([row.id]).catch(() => undefined);
  };
  return (
    <>
      <HomeCard
        title={texts.notices}
        area="notices"
        data={notices}
        head={notices && <span className="muted">{t(texts.count, numberText(notices.total))}</span>}
      >
        {({ list }) =>
          list.length === 0 ? (
            <p className="muted home-none">{t(texts.noNotices)}</p>
          ) : (
            <table className="home-table" {...tips}>
              <thead>
                <tr>
                  {[title, source, create_at].map(({ label }) => (
                    <th key={label[0]} scope="col">
                      <span className="visually-hidden">{t(label)}</span>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {list.map((row) => (
                  <tr key={row.id}>
                    <td data-tip="">
                      {!row.is_read && <span className="home-unread" role="img" aria-label={t(texts.unread)} />}
                      {canView ? (
                        <button type="button" className="act" onClick={() => view(row)}>
                          {row.title}
                        </button>
                      ) : (
                        row.title
                      )}
                    </td>
                    <td>
                      <OptionTag field={source} value={row.source} />
                    </td>
                    <td>
                      <When at={row.create_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </HomeCard>
      {actions.open}
    </>
  );
};
