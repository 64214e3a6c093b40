import { feedbackCalls, feedbackList } from '@farlink/contract/feedback/feedback.ts';
import { pick } from '@farlink/contract/kit/field.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense, useState } from 'react';
import { offersOf } from '../../kit/actions/action-state.ts';
import { usePageActions } from '../../kit/actions/use-page-actions.tsx';
import { t } from '../../kit/chrome/lang.ts';
import { RecordState } from '../../kit/form/record-state.tsx';
import { RecordView } from '../../kit/form/record-view.tsx';
import { usePicture } from '../../kit/form/use-picture.ts';
import { useRecord } from '../../kit/form/use-record.ts';
import { Cell } from '../../kit/list/cell.tsx';
import { useMe } from '../../kit/net/session.ts';
import { Button } from '../../ui/native/button.tsx';
import { Panel } from '../../ui/native/panel.tsx';
import { ContextView } from './context-view.tsx';
import './feedback.css';

const PictureDialog = lazy(() => import('../../kit/form/picture-dialog.tsx'));

const texts = {
  title: ['反馈详情', 'Feedback details'],
  enlarge: ['放大附件 {0}', 'Enlarge attachment {0}'],
} as const satisfies Record<string, Text>;

const { fields } = feedbackList.resource;
const facts = pick(fields, 'account', 'phone', 'device_name', 'sn', 'agent_name', 'create_at');
const answer = pick(fields, 'remark', 'handler', 'handle_at');

const Thumbnail = ({ path, number, onOpen }: { readonly path: string; readonly number: number; readonly onOpen: () => void }) => {
  const { url } = usePicture(path);
  return (
    <button type="button" className="box feedback-image" aria-label={t(texts.enlarge, number)} onClick={onOpen}>
      {url && <img src={url} alt="" />}
    </button>
  );
};

const Attachments = ({ paths }: { readonly paths: readonly string[] }) => {
  const [enlarged, setEnlarged] = useState<string>();
  return (
    <div className="flow feedback-images">
      {paths.map((path, i) => (
        <Thumbnail key={path} path={path} number={i + 1} onOpen={() => setEnlarged(path)} />
      ))}
      {enlarged !== undefined && (
        <Suspense>
          <PictureDialog paths={[enlarged]} label={t(fields.attach.label)} onClose={() => setEnlarged(undefined)} />
        </Suspense>
      )}
    </div>
  );
};

const Feedback = ({ record }: { readonly record: AnyRow }) => (
  <>
    <div className="row wrap">
      <Cell field={fields.type} value={record.type} />
      <Cell field={fields.level} value={record.level} />
      <Cell field={fields.status} value={record.status} />
    </div>
    <p className="feedback-text">{String(record.content)}</p>
    {Array.isArray(record.attach) && record.attach.length > 0 && <Attachments paths={record.attach.map(String)} />}
    <div className="columns narrow feedback-facts">
      <RecordView fields={facts} record={record} />
      <RecordView fields={answer} record={record} />
    </div>
    <ContextView id={record.id} />
  </>
);

/** One feedback: the text, the answer, and the state of the device at that time. */
export const FeedbackPanel = ({ id, onClose }: { readonly id: number; readonly onClose: () => void }) => {
  const me = useMe();
  const loaded = useRecord(feedbackCalls.info, id);
  const actions = usePageActions(feedbackList, {});
  const { record } = loaded;
  const buttons = record ? offersOf(feedbackList, 'row', me, record).filter(({ key }) => key === 'edit' || key === 'attach') : [];
  const extra = buttons
    .filter(({ refusal }) => refusal === undefined)
    .map(({ key, action }) => (
      <Button key={key} kind={key === 'edit' ? 'primary' : 'default'} onClick={() => record && actions.act(key, record)}>
        {t(action.label)}
      </Button>
    ));
  return (
    <>
      <Panel title={t(texts.title)} width={860} extra={<div className="row">{extra}</div>} onClose={onClose}>
        {record ? <Feedback record={record} /> : <RecordState loaded={loaded} back={feedbackList.route} />}
      </Panel>
      {actions.open}
    </>
  );
};
