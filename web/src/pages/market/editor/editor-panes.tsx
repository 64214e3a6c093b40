import type { Text } from '@farlink/contract/kit/text.ts';
import { type ReactNode, useId, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { useNarrow } from '../../../ui/browser/use-media.ts';
import { TabRow } from '../../../ui/native/tab-row.tsx';

const texts = {
  blocks: ['结构', 'Structure'],
  stage: ['预览', 'Preview'],
  props: ['属性', 'Properties'],
} as const satisfies Record<string, Text>;

const names = ['blocks', 'stage', 'props'] as const;
type PaneName = (typeof names)[number];
const isPane = (name: string): name is PaneName => names.some((one) => one === name);

interface EditorPanesProps extends Readonly<Record<PaneName, ReactNode>> {
  /** What is chosen: a choice by pointer on a narrow screen opens the properties. */
  readonly chosen: string;
}

/** Structure, preview and properties side by side; on a narrow screen one at a time. */
export const EditorPanes = ({ chosen, ...panes }: EditorPanesProps) => {
  const id = useId();
  const isNarrow = useNarrow();
  const [open, setOpen] = useState<PaneName>('blocks');
  const [last, setLast] = useState(chosen);
  if (last !== chosen) {
    setLast(chosen);
    if (isNarrow) setOpen('props');
  }
  if (!isNarrow)
    return (
      <div className="editor-panes">
        {panes.blocks}
        {panes.stage}
        {panes.props}
      </div>
    );
  return (
    <div className="editor-tabs">
      <TabRow
        tabs={names.map((name) => ({ name, label: t(texts[name]) }))}
        current={open}
        onPick={(name) => isPane(name) && setOpen(name)}
        controls={id}
      />
      <div id={id} role="tabpanel" aria-label={t(texts[open])}>
        {panes[open]}
      </div>
    </div>
  );
};
