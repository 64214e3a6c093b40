import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../../kit/chrome/lang.ts';
import type { Section } from './use-section.ts';

const texts = {
  edited: ['正在编辑…', 'Editing…'],
  cut: ['连接中断，草稿未保存，将自动重试', 'Connection lost. The draft is not saved; saving is retried automatically.'],
  saving: ['正在保存草稿…', 'Saving the draft…'],
  saved: ['草稿已保存，尚未下发', 'Draft saved, not applied yet'],
  wrong: ['有误，草稿未保存', 'Not saved: correct the errors first'],
} as const satisfies Record<string, Text>;

/** State of the draft: saved does not mean applied. */
export const SaveStatus = ({ state, isWrong }: { readonly state: Section['state']; readonly isWrong: boolean }) => {
  if (state === 'same') return null;
  const shownState = isWrong && state !== 'saved' ? 'wrong' : state;
  return (
    <span className="save-status" data-state={shownState} role="status">
      {t(texts[shownState])}
    </span>
  );
};
