import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { Callout } from '../../../ui/native/callout.tsx';

const texts = {
  stale: [
    '其他人已保存该门户的新版本。您的修改仍保留在草稿中，请选择：',
    'Someone else saved a new version of this portal. Your changes are kept in your draft. Choose:',
  ],
  theirs: ['载入对方版本', 'Load their version'],
  mine: ['使用我的版本', 'Use my version'],
  copy: ['将我的版本另存为新门户', 'Save mine as a new portal'],
  hint: [
    '载入后可用撤销找回您的修改；使用您的版本时，对方版本保留在历史中。',
    'After loading, Undo brings your changes back. If you use yours, their version stays in the history.',
  ],
} as const satisfies Record<string, Text>;

interface StaleCalloutProps {
  readonly onTheirs: () => void;
  readonly onMine: () => void;
  /** Undefined without the permission to create portals. */
  readonly onCopy: (() => void) | undefined;
}

/** Two operators edited one portal; no version is lost. */
export const StaleCallout = ({ onTheirs, onMine, onCopy }: StaleCalloutProps) => (
  <Callout tone="warning">
    {t(texts.stale)}
    <span className="stale-actions">
      <ActButton label={t(texts.theirs)} onClick={onTheirs} />
      <ActButton label={t(texts.mine)} onClick={onMine} />
      {onCopy && <ActButton label={t(texts.copy)} onClick={onCopy} />}
    </span>
    <span className="hint">{t(texts.hint)}</span>
  </Callout>
);
