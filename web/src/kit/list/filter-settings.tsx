import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useState } from 'react';
import { Button } from '../../ui/native/button.tsx';
import { CheckList } from '../../ui/native/check-list.tsx';
import { t } from '../chrome/lang.ts';
import { Dialog } from '../form/dialog.tsx';

const texts = {
  title: ['筛选设置', 'Filter settings'],
  hint: ['选择要显示的筛选项，仅保存在本机', 'Select the filters to show. Saved in this browser only.'],
  recommend: ['推荐', 'Recommend'],
  cancel: ['取消', 'Cancel'],
  save: ['确定', 'Confirm'],
} as const satisfies Record<string, Text>;

interface FilterSettingsProps {
  readonly resource: Resource;
  readonly shown: readonly string[];
  readonly onSave: (names: string[]) => void;
  readonly onClose: () => void;
}

/** spec §9: at most five by default, 'recommend' selects the first five. */
const FilterSettings = ({ resource, shown, onSave, onClose }: FilterSettingsProps) => {
  const [names, setNames] = useState<readonly string[]>(shown);
  return (
    <Dialog open title={t(texts.title)} onClose={onClose}>
      <p className="muted">{t(texts.hint)}</p>
      <CheckList
        items={resource.filters.map((name) => ({ name, label: t(resource.fields[name]?.label ?? [name, name]) }))}
        chosen={names}
        onChange={setNames}
      />
      <div className="dialog-foot">
        <Button onClick={() => setNames(resource.filters.slice(0, limits.filterColumns))}>{t(texts.recommend)}</Button>
        <span className="spring" />
        <Button onClick={onClose}>{t(texts.cancel)}</Button>
        <Button kind="primary" onClick={() => onSave(resource.filters.filter((name) => names.includes(name)))}>
          {t(texts.save)}
        </Button>
      </div>
    </Dialog>
  );
};
export default FilterSettings;
