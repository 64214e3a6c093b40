import type { Text } from '@farlink/contract/kit/text.ts';
import { portalEditFields } from '@farlink/contract/market/portal.ts';
import type { Block, BlockKind } from '@farlink/portal/document.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { FieldRow } from '../../../kit/form/field-row.tsx';
import type { FormState } from '../../../kit/form/use-form.ts';
import { editFirst, editLink, editTheme, firstOf } from './document-edit.ts';
import { faultAt } from './document-faults.ts';
import { useEditorTools } from './editor-context.ts';
import { ImageField } from './image-field.tsx';
import { PicturesField } from './pictures-field.tsx';
import { LineField } from './prop-fields.tsx';
import { TextPair } from './text-pair.tsx';

const texts = {
  link: ['登录后打开的网址，可留空', 'Opened after the login; may be empty'],
  template: ['保存后生效，内容不变', 'Takes effect when saved. The content stays.'],
  logo: ['JPG或PNG，不超过2MB，建议190×60', 'JPG or PNG, under 2 MB, recommended 190×60'],
} as const satisfies Record<string, Text>;

/** Properties of the portal beside its document; they are saved with the portal, not with the draft. */
export const settingNames = ['name', 'template_id', 'device_type', 'billing_type'] as const;

const nothing: Text = ['', ''];

interface PagePropertiesProps {
  readonly id: string;
  readonly settings: FormState;
}

const Settings = ({ id, settings }: PagePropertiesProps) => {
  const { portal } = useEditorTools();
  const hint = <span className="hint">{t(texts.template)}</span>;
  return settingNames.map((name) => (
    <div key={name} data-field={name}>
      <FieldRow
        id={`${id}-${name}`}
        name={name}
        field={portalEditFields[name]}
        form={settings}
        scope={{}}
        self={portal.id}
        note={name === 'template_id' && hint}
      />
    </div>
  ));
};

/** The form of the specification. Its texts and images are those of the document, so each has one value. */
export const PageProperties = ({ id, settings }: PagePropertiesProps) => {
  const { editor, faults, shown } = useEditorTools();
  const { doc } = editor;
  const fields = portalEditFields;
  const welcome = firstOf(doc, 'welcome');
  const banners = firstOf(doc, 'banners');
  const agreement = firstOf(doc, 'agreement');
  const put = <K extends BlockKind>(kind: K, change: (block: Extract<Block, { kind: K }>) => Block, field?: string) =>
    editor.edit((old) => editFirst(old, kind, change), field);
  const at = (block: string | undefined, name: string) => (lang: 'zh' | 'en') =>
    faultAt(faults, block, `${name}[${lang === 'zh' ? 0 : 1}]`);
  return (
    <>
      <Settings id={id} settings={settings} />
      <TextPair
        id={`${id}-title`}
        name="title"
        label={t(fields.title.label)}
        value={doc.title}
        max={25}
        shown={shown}
        faultOf={at(undefined, 'title')}
        onChange={(title, lang) => editor.edit((old) => ({ ...old, title }), `title.${lang}`)}
      />
      <TextPair
        id={`${id}-welcome`}
        name="welcome"
        label={t(fields.welcome.label)}
        value={welcome?.text ?? nothing}
        max={512}
        isLong
        shown={shown}
        faultOf={at(welcome?.id, 'text')}
        onChange={(text, lang) => put('welcome', (block) => ({ ...block, text }), `welcome.text.${lang}`)}
      />
      <ImageField
        name="logo"
        label={t(fields.logo.label)}
        hint={t(texts.logo)}
        image={firstOf(doc, 'header')?.logo}
        onChange={(image) => put('header', ({ logo: _, ...block }) => (image ? { ...block, logo: image } : block))}
      />
      <PicturesField
        name="banner"
        label={t(fields.banner.label)}
        block={banners?.id}
        images={banners?.images ?? []}
        most={5}
        onChange={(images, field) => put('banners', (block) => ({ ...block, images }), field && `banners.${field}`)}
      />
      <ImageField
        name="background"
        label={t(fields.background.label)}
        image={doc.theme.image}
        onChange={(image) => editor.edit((old) => editTheme(old, { image }))}
      />
      <LineField
        name="link"
        label={t(fields.link.label)}
        value={doc.link ?? ''}
        max={500}
        placeholder="https://"
        hint={t(texts.link)}
        fault={faultAt(faults, undefined, 'link')}
        onChange={(link) => editor.edit((old) => editLink(old, link.trim()), 'link')}
      />
      <TextPair
        id={`${id}-agreement`}
        name="agreement"
        label={t(fields.agreement.label)}
        value={agreement?.text ?? nothing}
        max={10_000}
        isLong
        shown={shown}
        faultOf={at(agreement?.id, 'text')}
        onChange={(text, lang) => put('agreement', (block) => ({ ...block, text }), `agreement.text.${lang}`)}
      />
    </>
  );
};
