import { type ConfigNode, type ConfigTree, configCalls } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { t } from '../../../kit/chrome/lang.ts';
import { confirm } from '../../../kit/chrome/notify.tsx';
import { CallError, call } from '../../../kit/net/call.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { Button } from '../../../ui/native/button.tsx';
import { refreshConfig } from '../use-config.ts';
import { ApplyStrip } from './apply-strip.tsx';
import { useEdits } from './edits.ts';

const ReviewDrawer = lazy(() => import('./review-drawer.tsx'));

const texts = {
  bar: ['草稿', 'Drafts'],
  changed: ['{0} 页有草稿，尚未下发到网关', '{0} pages have drafts that are not applied yet'],
  changedOne: ['1 页有草稿，尚未下发到网关', '1 page has a draft that is not applied yet'],
  unsaved: ['未保存：', 'Not saved: '],
  review: ['核对并下发', 'Review and apply'],
  discard: ['全部放弃', 'Discard all'],
  discardQuestion: [
    '未下发的修改将丢失。确定放弃全部 {0} 页草稿吗？',
    'Changes that are not applied will be lost. Discard the drafts of all {0} pages?',
  ],
} as const satisfies Record<string, Text>;

const titleOf = (node: ConfigNode | undefined, key: string) => (node ? t([node.zh, node.en]) : key);

interface DraftBarProps {
  readonly deviceId: number;
  readonly tree: ConfigTree;
  /** The open page shows its own state. */
  readonly current: string | undefined;
  readonly unsaved: readonly string[];
  readonly hrefOf: (page: string) => string | undefined;
}

/** Drafts that wait for apply, and the state of the last apply. */
export const DraftBar = ({ deviceId: device_id, tree, current, unsaved, hrefOf }: DraftBarProps) => {
  const client = useQueryClient();
  const edits = useEdits();
  const [isOpen, setOpen] = useState(false);
  const nodes = tree.groups.flatMap(({ pages }) => pages);
  const titlesOf = (keys: readonly string[]) =>
    keys.map((key) =>
      titleOf(
        nodes.find((node) => node.key === key),
        key,
      ),
    );
  const drafts = nodes.filter(({ draft }) => draft);
  const unsavedNodes = nodes.filter(({ key }) => key !== current && unsaved.includes(key));
  const discard = async () => {
    const count = String(drafts.length);
    if (
      !(await confirm([texts.discardQuestion[0].replace('{0}', count), texts.discardQuestion[1].replace('{0}', count)], {
        danger: true,
        of: tree.device.name,
      }))
    )
      return;
    try {
      await call(configCalls.discard, { device_id });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
    edits.drop();
    await refreshConfig(client, device_id);
  };
  const isWritable = nodes.some(({ writable }) => writable);
  return (
    <footer className="draft-bar">
      {tree.apply && (
        <ApplyStrip device={tree.device} titles={titlesOf(tree.apply.pages)} apply={tree.apply} hrefOf={hrefOf} isWritable={isWritable} />
      )}
      {(drafts.length > 0 || unsavedNodes.length > 0) && (
        <section className="draft-line" aria-label={t(texts.bar)}>
          <strong>{drafts.length === 1 ? t(texts.changedOne) : drafts.length > 0 ? t(texts.changed, drafts.length) : ''}</strong>
          {unsavedNodes.length > 0 && (
            <span className="draft-unsaved">
              {t(texts.unsaved)}
              {unsavedNodes.map((node) => (
                <Link key={node.key} to={`?page=${node.key}`}>
                  {t([node.zh, node.en])}
                </Link>
              ))}
            </span>
          )}
          <span className="spring" />
          {drafts.length > 0 && (
            <>
              <ActButton label={t(texts.discard)} danger onClick={() => void discard()} />
              <Button kind="primary" onClick={() => void edits.flush().then(() => setOpen(true))}>
                {t(texts.review)}
              </Button>
            </>
          )}
        </section>
      )}
      {isOpen && (
        <Suspense>
          <ReviewDrawer deviceId={device_id} device={tree.device} hrefOf={hrefOf} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </footer>
  );
};
