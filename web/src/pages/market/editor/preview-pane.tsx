import { isLang, type Lang, type Text } from '@farlink/contract/kit/text.ts';
import { type HomeView, homeViews } from '@farlink/portal/view.ts';
import { useState } from 'react';
import { lang as ownLang, t } from '../../../kit/chrome/lang.ts';
import { useSize } from '../../../ui/browser/use-size.ts';
import { SegmentedRow } from '../../../ui/native/segmented-row.tsx';
import { NativeSelect } from '../../../ui/native/select.tsx';
import { PreviewFrame } from './preview-frame.tsx';

const texts = {
  label: ['预览', 'Preview'],
  frame: ['门户预览', 'Portal preview'],
  size: ['屏幕', 'Screen'],
  state: ['用户状态', 'State of the subscriber'],
  lang: ['预览语言', 'Language of the preview'],
} as const satisfies Record<string, Text>;

/** Widths of screens, by name. */
const sizes = {
  phone: { label: ['手机', 'Phone'], width: 390 },
  tablet: { label: ['平板', 'Tablet'], width: 768 },
  desktop: { label: ['电脑', 'Desktop'], width: 1280 },
} as const satisfies Record<string, { readonly label: Text; readonly width: number }>;
type SizeName = keyof typeof sizes;
const sizeNames = ['phone', 'tablet', 'desktop'] as const satisfies readonly SizeName[];

export const viewNames: Readonly<Record<HomeView, Text>> = {
  out: ['未登录', 'Logged out'],
  online: ['已上线', 'Online'],
  used: ['套餐用完', 'Quota used'],
  paying: ['支付中', 'Paying'],
  offline: ['链路中断', 'Offline'],
};

/** What the preview shows. */
export interface PreviewOptions {
  readonly size: SizeName;
  readonly view: HomeView;
  readonly lang: Lang;
}

export const usePreviewOptions = () => useState<PreviewOptions>({ size: 'phone', view: 'out', lang: ownLang });

const isSize = (name: string): name is SizeName => sizeNames.some((one) => one === name);
const isView = (name: string): name is HomeView => homeViews.some((one) => one === name);

interface PreviewPaneProps {
  readonly previewOptions: PreviewOptions;
  readonly onPreviewOptions: (previewOptions: PreviewOptions) => void;
  /** URL of the page in a language and state. */
  readonly srcOf: (lang: Lang, view: HomeView) => string;
  readonly mark?: string | undefined;
  readonly onSelect?: (id: string) => void;
}

/** Middle: the page as a subscriber sees it. */
export const PreviewPane = ({ previewOptions, onPreviewOptions, srcOf, mark, onSelect }: PreviewPaneProps) => {
  const [area, available] = useSize({ width: 390, height: 640 });
  const { size, view, lang } = previewOptions;
  return (
    <section className="column editor-preview card" aria-label={t(texts.label)}>
      <div className="row wrap preview-tools">
        <SegmentedRow
          label={t(texts.size)}
          options={sizeNames.map((name) => ({ id: name, label: t(sizes[name].label) }))}
          value={size}
          otherwise=""
          onSelect={(name) => isSize(name) && onPreviewOptions({ ...previewOptions, size: name })}
        />
        <span className="preview-state">
          <NativeSelect
            id="preview-state"
            label={t(texts.state)}
            value={view}
            options={homeViews.map((name) => ({ value: name, label: t(viewNames[name]) }))}
            onChange={(name) => isView(name) && onPreviewOptions({ ...previewOptions, view: name })}
          />
        </span>
        <SegmentedRow
          label={t(texts.lang)}
          options={[
            { id: 'zh', label: '中文' },
            { id: 'en', label: 'English' },
          ]}
          value={lang}
          otherwise=""
          onSelect={(name) => isLang(name) && onPreviewOptions({ ...previewOptions, lang: name })}
        />
      </div>
      <div className="preview-area" ref={area}>
        <PreviewFrame
          src={srcOf(lang, view)}
          title={t(texts.frame)}
          width={sizes[size].width}
          available={available}
          mark={mark}
          {...(onSelect && { onSelect })}
        />
      </div>
    </section>
  );
};
