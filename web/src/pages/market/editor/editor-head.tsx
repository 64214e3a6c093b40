import type { Text } from '@farlink/contract/kit/text.ts';
import type { ReactNode } from 'react';
import { ActionBar } from '../../../kit/actions/action-bar.tsx';
import type { Offer } from '../../../kit/actions/action-state.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { tips } from '../../../ui/browser/tip.ts';
import { useWidth } from '../../../ui/browser/use-width.ts';
import { Button } from '../../../ui/native/button.tsx';
import { UndoIcon } from '../../../ui/theme/icons.ts';
import type { MissingText } from './missing-texts.ts';
import type { Editor } from './use-editor.ts';

const texts = {
  undo: ['撤销（Ctrl+Z）', 'Undo (Ctrl+Z)'],
  redo: ['重做（Ctrl+Shift+Z）', 'Redo (Ctrl+Shift+Z)'],
  history: ['历史版本', 'History'],
  missing: ['{0}处缺少译文', '{0} missing translations'],
  missingOne: ['1处缺少译文', '1 missing translation'],
  others: ['{0}也在编辑', '{0} is editing too'],
} as const satisfies Record<string, Text>;

interface EditorHeadProps {
  readonly name: string;
  /** VNO of the portal. */
  readonly owner: string;
  readonly editor: Editor;
  readonly status: ReactNode;
  readonly missing: readonly MissingText[];
  readonly others: readonly string[];
  readonly offers: readonly Offer[];
  readonly act: (key: string) => void;
  readonly onHistory: () => void;
}

const actionShare = 0.42;

/** Name, state and actions of the editor. */
export const EditorHead = ({ name, owner, editor, status, missing, others, offers, act, onHistory }: EditorHeadProps) => {
  const [bar, width] = useWidth(1000);
  const [first] = missing;
  return (
    <header className="editor-head card" ref={bar} {...tips}>
      <h2 className="clip" data-tip="">
        {name}
      </h2>
      <span className="muted clip editor-owner" data-tip="">
        {owner}
      </span>
      <span className="editor-steps">
        <Button
          icon={<UndoIcon aria-hidden />}
          aria-label={t(texts.undo)}
          data-tip={t(texts.undo)}
          disabled={!editor.canUndo}
          onClick={editor.undo}
        />
        <Button
          icon={<UndoIcon className="mirrored" aria-hidden />}
          aria-label={t(texts.redo)}
          data-tip={t(texts.redo)}
          disabled={!editor.canRedo}
          onClick={editor.redo}
        />
      </span>
      {status}
      {first && (
        <button type="button" className="small act" onClick={() => editor.choose(first.block ?? '#page')}>
          {missing.length === 1 ? t(texts.missingOne) : t(texts.missing, missing.length)}
        </button>
      )}
      {others.length > 0 && <span className="tag hue-orange">{t(texts.others, others.join(t(['、', ', '])))}</span>}
      <span className="spring" />
      <Button onClick={onHistory}>{t(texts.history)}</Button>
      <ActionBar offers={offers} act={act} availableWidth={width * actionShare} />
    </header>
  );
};
