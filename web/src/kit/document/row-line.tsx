import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayField } from '@farlink/gateway/kit/field.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { ReactNode } from 'react';
import { ActButton } from '../../ui/native/act-button.tsx';
import { MenuButton } from '../../ui/native/menu-button.tsx';
import { SelectBox } from '../../ui/native/select-box.tsx';
import { Tag } from '../../ui/native/tag.tsx';
import { t } from '../chrome/lang.ts';
import { isRight } from '../list/columns.ts';
import { type Refs, valueText } from './value-text.ts';

const texts = {
  choose: ['选择 {0}', 'Select {0}'],
  edit: ['编辑', 'Edit'],
  view: ['查看', 'View'],
  more: ['更多', 'More'],
  copy: ['复制', 'Duplicate'],
  remove: ['删除', 'Delete'],
  up: ['上移', 'Move up'],
  down: ['下移', 'Move down'],
  added: ['新增，尚未下发', 'Added, not applied yet'],
  changed: ['已修改，尚未下发', 'Changed, not applied yet'],
} as const satisfies Record<string, Text>;

export interface RowActions {
  readonly open: (row: JsonObject) => void;
  readonly copy: (row: JsonObject) => void;
  readonly remove: (rows: readonly JsonObject[]) => void;
  /** Set if the page has an order. */
  readonly move: ((row: JsonObject, by: -1 | 1) => void) | undefined;
}

interface LineActionsProps {
  readonly row: JsonObject;
  readonly rowKey: string;
  readonly actions: RowActions;
  readonly isReadOnly: boolean;
}

const LineActions = ({ row, rowKey, actions, isReadOnly }: LineActionsProps) => {
  const { move } = actions;
  const moveButton = (label: string, arrow: string, by: -1 | 1) => (
    <button type="button" className="act" aria-label={`${label} ${rowKey}`} title={label} onClick={() => move?.(row, by)}>
      {arrow}
    </button>
  );
  return (
    <span className="row-actions">
      <ActButton label={t(isReadOnly ? texts.view : texts.edit)} of={rowKey} onClick={() => actions.open(row)} />
      {!isReadOnly && move && (
        <>
          {moveButton(t(texts.up), '↑', -1)}
          {moveButton(t(texts.down), '↓', 1)}
        </>
      )}
      {!isReadOnly && (
        <MenuButton
          className="act"
          label={`${t(texts.more)} ${rowKey}`}
          items={[
            { key: 'copy', label: t(texts.copy), onSelect: () => actions.copy(row) },
            { key: 'remove', label: t(texts.remove), danger: true, onSelect: () => actions.remove([row]) },
          ]}
        >
          {t(texts.more)}
        </MenuButton>
      )}
    </span>
  );
};

const cellOf = (field: GatewayField, value: unknown, refs: Refs): ReactNode => {
  const text = valueText(field, value, refs);
  if (field.kind === 'bool' && typeof value === 'boolean') return <Tag color={value ? 'green' : undefined}>{text}</Tag>;
  return (
    <span className={field.mono ? 'clip mono' : 'clip'} data-tip="">
      {text}
    </span>
  );
};

interface RowLineProps extends LineActionsProps {
  readonly page: GatewayPage;
  /** The visible fields, in order. */
  readonly names: readonly string[];
  readonly refs: Refs;
  /** What the current changes did to the row. */
  readonly state: 'added' | 'changed' | undefined;
  readonly fault: string | undefined;
  readonly reported: Values | undefined;
  /** Origin of the row. */
  readonly mark: ReactNode;
  readonly isChosen: boolean;
  readonly onChoose: (on: boolean) => void;
}

/** One row of a list page. */
export const RowLine = (props: RowLineProps) => {
  const { page, names, row, rowKey, refs, actions, isReadOnly, state, fault, reported, mark, isChosen, onChoose } = props;
  const cell = (name: string) => {
    const field = page.fields[name];
    if (!field) return <td key={name} />;
    if (name === page.keyField)
      return (
        <td key={name} data-tip={fault ?? (state && t(texts[state]))}>
          <span className="row row-key">
            <button type="button" className="act clip" data-tip="" onClick={() => actions.open(row)}>
              {valueText(field, row[name], refs)}
            </button>
            {mark}
          </span>
        </td>
      );
    return (
      <td key={name} className={isRight(field) ? 'num' : undefined}>
        {cellOf(field, field.reported ? reported?.[name] : row[name], refs)}
      </td>
    );
  };
  return (
    <tr data-chosen={isChosen || undefined} data-what={state} data-wrong={fault !== undefined || undefined}>
      {!isReadOnly && (
        <td className="select">
          <SelectBox label={t(texts.choose, rowKey)} share={isChosen ? 'all' : 'none'} onSet={onChoose} />
        </td>
      )}
      {names.map(cell)}
      <td className="pinned">
        <LineActions row={row} rowKey={rowKey} actions={actions} isReadOnly={isReadOnly} />
      </td>
    </tr>
  );
};
