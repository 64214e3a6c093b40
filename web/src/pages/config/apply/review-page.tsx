import { type ConfigProblemView, configCalls, type Review } from '@farlink/contract/config/config.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { colon, lang, t } from '../../../kit/chrome/lang.ts';
import { confirm } from '../../../kit/chrome/notify.tsx';
import { DifferenceList } from '../../../kit/document/difference-list.tsx';
import { fieldPathText } from '../../../kit/document/field-path.ts';
import { CallError, call } from '../../../kit/net/call.ts';
import { relativeText } from '../../../ui/format.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { Callout } from '../../../ui/native/callout.tsx';
import { Tag } from '../../../ui/native/tag.tsx';
import { configKey, refreshConfig } from '../use-config.ts';
import { useEdits } from './edits.ts';

const texts = {
  choose: ['下发 {0}', 'Apply {0}'],
  open: ['打开页面', 'Open'],
  discard: ['放弃', 'Discard'],
  discardQuestion: ['确定放弃“{0}”的草稿吗？', 'Discard the draft of "{0}"?'],
  differences: ['{0} 处修改', 'Changes: {0}'],
  stale: ['{0} 于{1}下发了新版本 {2}，您的草稿基于版本 {3}', '{0} applied revision {2} {1}; your draft is based on revision {3}'],
  unknown: ['他人', 'Someone else'],
  theirs: ['查看对方的修改', 'See what they changed'],
  takeTheirs: ['采用对方版本（放弃我的草稿）', 'Use theirs (discard my draft)'],
  before: ['我的基础版本', 'My base'],
  after: ['对方版本', 'Theirs'],
  drifted: ['有人在网关上改过本页；下发将覆盖网关上的修改', 'This page was changed at the gateway. Applying overwrites that change.'],
} as const satisfies Record<string, Text>;

type PageReview = Review['pages'][number];

/** The newer revision: who applied it, and its changes. */
const Stale = ({
  deviceId: device_id,
  review,
  schema,
  onTake,
}: {
  readonly deviceId: number;
  readonly review: PageReview;
  readonly schema: GatewayPage | undefined;
  readonly onTake: () => void;
}) => {
  const [isOpen, setOpen] = useState(false);
  const background = { silent: true, overlay: false } as const;
  const { data: newest } = useQuery({
    queryKey: [...configKey(device_id), 'newest', review.page, review.rev],
    queryFn: () =>
      call(configCalls.revisions, { device_id, section: review.page, page: 1, limit: 1, orderby: 'rev desc', filters: {} }, background),
  });
  const { data: base } = useQuery({
    queryKey: [...configKey(device_id), 'revision', review.page, review.base_rev],
    queryFn: () => call(configCalls.revision, { device_id, page: review.page, rev: review.base_rev }, background),
    enabled: isOpen && review.base_rev > 0,
  });
  const [row] = newest?.list ?? [];
  // The differences describe a rollback, so the changes of the other operator are reversed.
  const theirs = base?.differences.map((one) => ({
    ...one,
    what: one.what === 'added' ? ('removed' as const) : one.what === 'removed' ? ('added' as const) : one.what,
    before: one.after,
    after: one.before,
  }));
  return (
    <Callout tone="warning">
      <p>{t(texts.stale, row?.operator ?? t(texts.unknown), relativeText(row?.create_at, lang), review.rev, review.base_rev)}</p>
      <span className="row-actions">
        {review.base_rev > 0 && <ActButton label={t(texts.theirs)} onClick={() => setOpen(!isOpen)} />}
        <ActButton label={t(texts.takeTheirs)} onClick={onTake} />
      </span>
      {isOpen && theirs && schema && <DifferenceList page={schema} differences={theirs} before={texts.before} after={texts.after} />}
    </Callout>
  );
};

interface ReviewPageProps {
  readonly deviceId: number;
  readonly review: PageReview;
  readonly schema: GatewayPage | undefined;
  readonly problems: readonly ConfigProblemView[];
  readonly isChosen: boolean;
  readonly onChoose: (on: boolean) => void;
  readonly href: string | undefined;
  /** Called when a link leads out of the drawer. */
  readonly onLeave: () => void;
}

/** One page of a review. */
export const ReviewPage = ({ deviceId: device_id, review, schema, problems, isChosen, onChoose, href, onLeave }: ReviewPageProps) => {
  const client = useQueryClient();
  const edits = useEdits();
  const title = t([review.zh, review.en]);
  const discard = async () => {
    if (!(await confirm(fill(texts.discardQuestion, title), { danger: true }))) return;
    try {
      await call(configCalls.discard, { device_id, page: review.page }, { overlay: false });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
    edits.drop(review.page);
    await refreshConfig(client, device_id);
  };
  return (
    <li className="review-page" data-off={!isChosen || undefined}>
      <div className="row review-head">
        <label className="check">
          <input type="checkbox" checked={isChosen} aria-label={t(texts.choose, title)} onChange={(e) => onChoose(e.target.checked)} />
          <strong>{title}</strong>
        </label>
        <Tag>{t(texts.differences, review.differences.length)}</Tag>
        <span className="spring" />
        {href !== undefined && (
          <Link className="act" to={href} onClick={onLeave}>
            {t(texts.open)}
          </Link>
        )}
        <ActButton label={t(texts.discard)} of={title} danger onClick={() => void discard()} />
      </div>
      {review.stale && <Stale deviceId={device_id} review={review} schema={schema} onTake={() => void discard()} />}
      {review.drifted && <Callout tone="warning">{t(texts.drifted)}</Callout>}
      {problems.length > 0 && (
        <ul className="review-problems">
          {problems.map((problem) => (
            <li key={problem.path} className="refusal">
              {href === undefined ? (
                problem.path
              ) : (
                <Link to={`${href}&at=${encodeURIComponent(problem.path)}`} onClick={onLeave}>
                  {schema ? fieldPathText(schema, problem.path) : problem.path}
                </Link>
              )}
              {`${colon}${problem.text}`}
            </li>
          ))}
        </ul>
      )}
      {schema && <DifferenceList page={schema} differences={review.differences} />}
    </li>
  );
};
