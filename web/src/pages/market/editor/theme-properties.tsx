import type { Text } from '@farlink/contract/kit/text.ts';
import { useId } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { ColorInput } from '../../../ui/antd/color-input.tsx';
import { errorId, FieldFrame } from '../../../ui/native/field-frame.tsx';
import { editTheme } from './document-edit.ts';
import { faultAt } from './document-faults.ts';
import { useEditorTools } from './editor-context.ts';
import { ImageField } from './image-field.tsx';
import { ChoiceField } from './prop-fields.tsx';

const texts = {
  primary: ['主色', 'Primary color'],
  background: ['背景色', 'Background color'],
  pick: ['选取{0}', 'Pick the {0}'],
  swatch: ['{0} {1}', '{0} {1}'],
  scheme: ['明暗', 'Appearance'],
  radius: ['圆角', 'Corners'],
  size: ['字号', 'Font size'],
  image: ['背景图', 'Background'],
  readable: ['文字颜色自动调整，保证清晰可读。', 'Text colors are adjusted so that they stay readable.'],
} as const satisfies Record<string, Text>;

/** Colors that suit a portal, one click away. */
const presets = {
  primary: ['#1668dc', '#0b7a75', '#0f4c81', '#2f6b2f', '#b5451b', '#a61d4d', '#5b3cc4', '#1b2230'],
  background: ['#f3f6fb', '#ffffff', '#eef5f2', '#fbf6ef', '#e8eef7', '#12213a', '#0d2b2a', '#1b2230'],
} as const;

const schemes = [
  ['light', ['浅色', 'Light']],
  ['dark', ['深色', 'Dark']],
  ['auto', ['跟随系统', 'Auto']],
] as const;
const radii = [
  [0, ['直角', 'Square']],
  [4, ['小', 'Small']],
  [8, ['中', 'Medium']],
  [16, ['大', 'Large']],
] as const;
const sizes = [
  ['small', ['小', 'Small']],
  ['normal', ['标准', 'Normal']],
  ['large', ['大', 'Large']],
] as const;

const ColorField = ({ name }: { readonly name: 'primary' | 'background' }) => {
  const id = useId();
  const { editor, faults } = useEditorTools();
  const fault = faultAt(faults, undefined, `theme.${name}`);
  const value = editor.doc.theme[name];
  const label = t(texts[name]);
  const put = (color: string) => editor.edit((doc) => editTheme(doc, { [name]: color.toLowerCase() }), `theme.${name}`);
  return (
    <div data-field={name}>
      <FieldFrame id={id} kind="color" label={label} tips={undefined} needed={false} error={fault && t(fault)} onLeave={() => undefined}>
        <ColorInput
          id={id}
          value={value}
          pickerLabel={t(texts.pick, label)}
          status={fault ? 'error' : undefined}
          describedBy={fault && errorId(id)}
          onChange={put}
        />
        <span className="flow color-presets">
          {presets[name].map((color) => (
            <button
              key={color}
              type="button"
              className="color-preset"
              style={{ background: color }}
              aria-label={t(texts.swatch, label, color)}
              aria-pressed={color === value}
              title={color}
              onClick={() => put(color)}
            />
          ))}
        </span>
      </FieldFrame>
    </div>
  );
};

export const ThemeProperties = () => {
  const { editor } = useEditorTools();
  const { theme } = editor.doc;
  const put = (patch: Parameters<typeof editTheme>[1]) => editor.edit((doc) => editTheme(doc, patch));
  return (
    <>
      <ColorField name="primary" />
      <ColorField name="background" />
      <p className="hint">{t(texts.readable)}</p>
      <ChoiceField name="scheme" label={t(texts.scheme)} value={theme.scheme} options={schemes} onChange={(scheme) => put({ scheme })} />
      <ChoiceField name="radius" label={t(texts.radius)} value={theme.radius} options={radii} onChange={(radius) => put({ radius })} />
      <ChoiceField name="size" label={t(texts.size)} value={theme.size} options={sizes} onChange={(size) => put({ size })} />
      <ImageField name="image" label={t(texts.image)} image={theme.image} onChange={(image) => put({ image })} />
    </>
  );
};
