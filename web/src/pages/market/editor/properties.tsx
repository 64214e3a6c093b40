import { isLang, type Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../../kit/chrome/lang.ts';
import type { FormState } from '../../../kit/form/use-form.ts';
import { SegmentedRow } from '../../../ui/native/segmented-row.tsx';
import { BlockProperties } from './block-properties.tsx';
import { nameOf } from './block-row.tsx';
import './editor-props.css';
import { blockAt } from './document-edit.ts';
import { useEditorTools } from './editor-context.ts';
import { PageProperties } from './page-properties.tsx';
import type { ShownLangs } from './text-pair.tsx';
import { ThemeProperties } from './theme-properties.tsx';

const texts = {
  label: ['属性', 'Properties'],
  page: ['页面设置', 'Page settings'],
  theme: ['主题', 'Theme'],
  langs: ['编辑语言', 'Languages to edit'],
  both: ['双语', 'Both'],
} as const satisfies Record<string, Text>;

interface PropertiesProps {
  readonly id: string;
  readonly settings: FormState;
  readonly onShown: (shown: ShownLangs) => void;
}

/** Right side: properties of the selected item. */
export const Properties = ({ id, settings, onShown }: PropertiesProps) => {
  const { editor, shown } = useEditorTools();
  const block = blockAt(editor.doc, editor.chosen);
  const title = block ? nameOf(block) : t(editor.chosen === '#theme' ? texts.theme : texts.page);
  return (
    <section className="column editor-props card" aria-label={t(texts.label)}>
      <div className="row props-head">
        <h2>{title}</h2>
        <span className="spring" />
        {editor.chosen !== '#theme' && (
          <SegmentedRow
            label={t(texts.langs)}
            options={[
              { id: 'both', label: t(texts.both) },
              { id: 'zh', label: '中文' },
              { id: 'en', label: 'English' },
            ]}
            value={shown}
            otherwise=""
            onSelect={(id) => onShown(isLang(id) ? id : 'both')}
          />
        )}
      </div>
      <div className="props-body" key={editor.chosen}>
        {block && <BlockProperties block={block} />}
        {!block && editor.chosen === '#theme' && <ThemeProperties />}
        {!block && editor.chosen !== '#theme' && <PageProperties id={id} settings={settings} />}
      </div>
    </section>
  );
};
