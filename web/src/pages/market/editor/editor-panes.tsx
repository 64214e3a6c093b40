import type { Text } from '@farlink/contract/kit/text.ts';
import { type ReactNode, useId } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { useNarrow } from '../../../ui/browser/use-media.ts';
import { TabRow } from '../../../ui/native/tab-row.tsx';

const texts = {
  blocks: ['结构', 'Structure'],
  preview: ['预览', 'Preview'],
  props: ['属性', 'Properties'],
} as const satisfies Record<string, Text>;

const names = ['blocks', 'preview', 'props'] as const;
export type PaneName = (typeof names)[number];
const isPane = (name: string): name is PaneName => names.some((one) => one === name);

interface EditorPanesProps extends Readonly<Record<PaneName, ReactNode>> {
  /** The pane of a narrow screen. */
  readonly open: PaneName;
  readonly onOpen: (name: PaneName) => void;
}

/** Structure, preview and properties side by side; on a narrow screen one at a time. */
export const EditorPanes = ({ open, onOpen, ...panes }: EditorPanesProps) => {
  const id = useId();
  const isNarrow = useNarrow();
  if (!isNarrow)
    return (
      <div className="editor-panes">
        {panes.blocks}
        {panes.preview}
        {panes.props}
      </div>
    );
  return (
    <div className="editor-tabs">
      <TabRow
        tabs={names.map((name) => ({ name, label: t(texts[name]) }))}
        current={open}
        onSelect={(name) => isPane(name) && onOpen(name)}
        controls={id}
      />
      <div id={id} role="tabpanel" aria-label={t(texts[open])}>
        {panes[open]}
      </div>
    </div>
  );
};
