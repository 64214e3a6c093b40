import type { Text } from '@farlink/contract/kit/text.ts';
import type { Block, BlockOf, PortalImage } from '@farlink/portal/document.ts';
import { type ReactNode, useId } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { NativeSelect } from '../../../ui/native/select.tsx';
import { SwitchBox } from '../../../ui/native/switch-box.tsx';
import { blockHints, usualHeadings } from './block-texts.ts';
import { editBlock } from './document-edit.ts';
import { faultAt } from './document-faults.ts';
import { useEditorTools } from './editor-context.ts';
import { ImageField } from './image-field.tsx';
import { PicturesField } from './pictures-field.tsx';
import { ChoiceField, LineField } from './prop-fields.tsx';
import { TextPair } from './text-pair.tsx';

const texts = {
  heading: ['标题', 'Heading'],
  name: ['名称', 'Name'],
  text: ['文字', 'Text'],
  logo: ['门户Logo', 'Portal logo'],
  logoHint: ['JPG或PNG，不超过2MB，建议190×60', 'JPG or PNG, under 2 MB, recommended 190×60'],
  images: ['图片', 'Images'],
  columns: ['每行图片', 'Images per row'],
  register: ['显示注册入口', 'Offer registration'],
  shown: ['显示', 'Shown'],
  off: ['不显示', 'Not shown'],
  most: ['最多显示', 'Show at most'],
  phone: ['电话', 'Phone'],
  email: ['邮箱', 'Email'],
  link: ['点击跳转', 'Link'],
  fragment: ['片段', 'Fragment'],
  align: ['对齐', 'Alignment'],
  tone: ['样式', 'Style'],
} as const satisfies Record<string, Text>;

const aligns = [
  ['start', ['左对齐', 'Left']],
  ['center', ['居中', 'Center']],
] as const;
const tones = [
  ['plain', ['无底色', 'Plain']],
  ['card', ['卡片', 'Card']],
  ['accent', ['主色', 'Accent']],
] as const;

const withLogo = ({ logo: _, ...block }: BlockOf<'header'>, logo: PortalImage | undefined): Block => (logo ? { ...block, logo } : block);

type Put = (changed: Block, field?: string) => void;

interface EditProps<B extends Block> {
  readonly block: B;
  readonly put: Put;
}

/** A text property in both languages. */
const TextPart = ({
  block,
  label,
  max,
  isLong,
  put,
}: EditProps<Extract<Block, { text: unknown }>> & { readonly label: Text; readonly max: number; readonly isLong?: boolean }) => {
  const { faults, shown } = useEditorTools();
  return (
    <TextPair
      id={`prop-${block.id}-text`}
      name="text"
      label={t(label)}
      value={block.text}
      max={max}
      isLong={isLong === true}
      shown={shown}
      faultOf={(lang) => faultAt(faults, block.id, `text[${lang === 'zh' ? 0 : 1}]`)}
      onChange={(text, lang) => put({ ...block, text }, `text.${lang}`)}
    />
  );
};

const NumberPart = ({ block, high, put }: EditProps<BlockOf<'packages'> | BlockOf<'notices'>> & { readonly high: number }) => {
  const id = useId();
  const options = Array.from({ length: high }, (_, i) => ({ value: String(i + 1), label: String(i + 1) }));
  return (
    <div className="field" data-field="most">
      <label htmlFor={id}>{t(texts.most)}</label>
      <div>
        <NativeSelect id={id} value={String(block.most ?? high)} options={options} onChange={(n) => put({ ...block, most: Number(n) })} />
      </div>
    </div>
  );
};

const LoginPart = ({ block, put }: EditProps<BlockOf<'login'>>) => {
  const id = useId();
  const on = block.register === true;
  return (
    <div className="field" data-field="register">
      <label htmlFor={id}>{t(texts.register)}</label>
      <div>
        <SwitchBox id={id} on={on} label={t(on ? texts.shown : texts.off)} onChange={(register) => put({ ...block, register })} />
      </div>
    </div>
  );
};

const ContactPart = ({ block, put }: EditProps<BlockOf<'contact'>>) => {
  const { faults } = useEditorTools();
  return (
    <>
      <TextPart block={block} label={texts.text} max={200} isLong put={put} />
      <LineField
        name="phone"
        label={t(texts.phone)}
        value={block.phone ?? ''}
        max={32}
        fault={faultAt(faults, block.id, 'phone')}
        onChange={(phone) => put({ ...block, phone }, 'phone')}
      />
      <LineField
        name="email"
        label={t(texts.email)}
        value={block.email ?? ''}
        max={128}
        fault={faultAt(faults, block.id, 'email')}
        onChange={(email) => put({ ...block, email }, 'email')}
      />
    </>
  );
};

const FooterPart = ({ block, put }: EditProps<BlockOf<'footer'>>) => {
  const { faults } = useEditorTools();
  return (
    <>
      <TextPart block={block} label={texts.text} max={200} isLong put={put} />
      <LineField
        name="link"
        label={t(texts.link)}
        value={block.link ?? ''}
        max={500}
        placeholder="https://"
        fault={faultAt(faults, block.id, 'link')}
        onChange={(link) => put({ ...block, link: link.trim() }, 'link')}
      />
    </>
  );
};

const FragmentPart = ({ block, put }: EditProps<BlockOf<'fragment'>>) => {
  const id = useId();
  const { portal } = useEditorTools();
  const names = Object.keys(portal.template.fragments);
  return (
    <div className="field" data-field="name">
      <label htmlFor={id}>{t(texts.fragment)}</label>
      <div>
        <NativeSelect
          id={id}
          value={block.name}
          none="—"
          options={names.map((name) => ({ value: name, label: name }))}
          onChange={(name) => put({ ...block, name })}
        />
      </div>
    </div>
  );
};

/** Properties of one kind. */
const KindPart = ({ block, put }: EditProps<Block>): ReactNode => {
  switch (block.kind) {
    case 'header':
      return (
        <>
          <TextPart block={block} label={texts.name} max={60} put={put} />
          <ImageField
            name="logo"
            label={t(texts.logo)}
            hint={t(texts.logoHint)}
            image={block.logo}
            onChange={(image) => put(withLogo(block, image))}
          />
        </>
      );
    case 'banners':
    case 'adverts':
      return (
        <>
          <PicturesField
            name="images"
            label={t(texts.images)}
            block={block.id}
            images={block.images}
            most={block.kind === 'banners' ? 5 : 6}
            onChange={(images, field) => put({ ...block, images }, field && `images.${field}`)}
          />
          {block.kind === 'adverts' && (
            <ChoiceField
              name="columns"
              label={t(texts.columns)}
              value={block.columns ?? 2}
              options={([1, 2, 3] as const).map((n) => [n, [String(n), String(n)]] as const)}
              onChange={(columns) => put({ ...block, columns })}
            />
          )}
        </>
      );
    case 'welcome':
      return <TextPart block={block} label={texts.text} max={512} isLong put={put} />;
    case 'agreement':
      return <TextPart block={block} label={texts.text} max={10_000} isLong put={put} />;
    case 'login':
      return <LoginPart block={block} put={put} />;
    case 'packages':
      return <NumberPart block={block} high={20} put={put} />;
    case 'notices':
      return <NumberPart block={block} high={10} put={put} />;
    case 'contact':
      return <ContactPart block={block} put={put} />;
    case 'footer':
      return <FooterPart block={block} put={put} />;
    case 'fragment':
      return <FragmentPart block={block} put={put} />;
    default:
      return null;
  }
};

export const BlockProperties = ({ block }: { readonly block: Block }) => {
  const { editor, faults, shown } = useEditorTools();
  const put: Put = (changed, field) => editor.edit((doc) => editBlock(doc, changed), field && `${block.id}.${field}`);
  return (
    <>
      <p className="hint">{t(blockHints[block.kind])}</p>
      <KindPart block={block} put={put} />
      {block.kind !== 'header' && (
        <TextPair
          id={`prop-${block.id}-heading`}
          name="heading"
          label={t(texts.heading)}
          value={block.heading ?? ['', '']}
          max={60}
          shown={shown}
          placeholder={usualHeadings[block.kind]}
          faultOf={(lang) => faultAt(faults, block.id, `heading[${lang === 'zh' ? 0 : 1}]`)}
          onChange={(heading, lang) => put({ ...block, heading }, `heading.${lang}`)}
        />
      )}
      <ChoiceField
        name="align"
        label={t(texts.align)}
        value={block.align ?? 'start'}
        options={aligns}
        onChange={(align) => put({ ...block, align })}
      />
      <ChoiceField
        name="tone"
        label={t(texts.tone)}
        value={block.tone ?? 'plain'}
        options={tones}
        onChange={(tone) => put({ ...block, tone })}
      />
    </>
  );
};
