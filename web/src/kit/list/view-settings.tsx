import type { Text } from '@farlink/contract/kit/text.ts';
import { CheckList } from '../../ui/native/check-list.tsx';
import { IconButton } from '../../ui/native/icon-button.tsx';
import { Popup } from '../../ui/native/popup.tsx';
import { ColumnsIcon, DensityIcon } from '../../ui/theme/icons.ts';
import { t } from '../chrome/lang.ts';
import type { Column } from './columns.ts';
import type { TableView } from './use-table-view.ts';

const texts = {
  columns: ['列设置', 'Columns'],
  reset: ['恢复默认', 'Restore defaults'],
  compact: ['紧凑', 'Compact rows'],
  comfortable: ['宽松', 'Comfortable rows'],
} as const satisfies Record<string, Text>;

/** Column selection and row density. */
export const ViewSettings = ({ all, view }: { readonly all: readonly Column[]; readonly view: TableView }) => {
  const density = t(view.compact ? texts.comfortable : texts.compact);
  return (
    <>
      <IconButton label={density} onClick={view.toggleDensity}>
        <DensityIcon aria-hidden />
      </IconButton>
      <Popup
        className="icon-button"
        label={t(texts.columns)}
        tip={t(texts.columns)}
        haspopup="dialog"
        icon={<ColumnsIcon aria-hidden />}
        height={380}
      >
        {() => (
          <div className="column-chooser">
            <CheckList
              items={all.map((c) => ({ name: c.name, label: t(c.field.label) }))}
              chosen={view.columns.map((c) => c.name)}
              onChange={view.choose}
              needsOne
            />
            <button type="button" className="act" onClick={view.restore}>
              {t(texts.reset)}
            </button>
          </div>
        )}
      </Popup>
    </>
  );
};
