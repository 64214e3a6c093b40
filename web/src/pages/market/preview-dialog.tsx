import { type Lang, langs, type Text } from '@farlink/contract/kit/text.ts';
import { type HomeView, homeViews } from '@farlink/portal/view.ts';
import { type ReactNode, useState } from 'react';
import { lang, t } from '../../kit/chrome/lang.ts';
import { Dialog } from '../../kit/form/dialog.tsx';
import './market.css';

const texts = {
  preview: ['预览', 'Preview'],
  size: ['尺寸', 'Size'],
  state: ['状态', 'State'],
  language: ['语言', 'Language'],
  sample: ['页面显示示例数据', 'The page shows sample data'],
} as const satisfies Record<string, Text>;

const sizes = {
  phone: { label: ['手机', 'Phone'], width: 360 },
  tablet: { label: ['平板', 'Tablet'], width: 768 },
  desktop: { label: ['桌面', 'Desktop'], width: 1280 },
} as const satisfies Record<string, { readonly label: Text; readonly width: number }>;
type Size = keyof typeof sizes;
const sizeNames: readonly Size[] = ['phone', 'tablet', 'desktop'];

const states: Readonly<Record<HomeView, Text>> = {
  out: ['未登录', 'Logged out'],
  online: ['在线', 'Online'],
  used: ['用量用尽', 'Quota used'],
  paying: ['支付中', 'Paying'],
  offline: ['链路中断', 'Offline'],
};
const languages: Readonly<Record<Lang, Text>> = { zh: ['中文', 'Chinese'], en: ['英文', 'English'] };

interface SegmentsProps<T extends string> {
  readonly label: Text;
  readonly options: readonly T[];
  readonly textOf: (option: T) => Text;
  readonly value: T;
  readonly onChange: (option: T) => void;
}

const Segments = <T extends string>({ label, options, textOf, value, onChange }: SegmentsProps<T>): ReactNode => (
  <fieldset className="box preview-options">
    <legend className="visually-hidden">{t(label)}</legend>
    {options.map((option) => (
      <button key={option} type="button" className="preview-option" aria-pressed={option === value} onClick={() => onChange(option)}>
        {t(textOf(option))}
      </button>
    ))}
  </fieldset>
);

interface PreviewDialogProps {
  readonly name: string;
  /** Path of the preview, with a slash at the end. */
  readonly path: string;
  readonly onClose: () => void;
}

/** A portal with sample data in a sandboxed frame: it runs no script and has no origin. */
const PreviewDialog = ({ name, path, onClose }: PreviewDialogProps) => {
  const [size, setSize] = useState<Size>('phone');
  const [state, setState] = useState<HomeView>('out');
  const [shown, setShown] = useState<Lang>(lang);
  return (
    <Dialog open title={`${t(texts.preview)} · ${name}`} width={sizes[size].width + 80} onClose={onClose}>
      <div className="flow preview-bar">
        <Segments label={texts.size} options={sizeNames} textOf={(one) => sizes[one].label} value={size} onChange={setSize} />
        <Segments label={texts.state} options={homeViews} textOf={(one) => states[one]} value={state} onChange={setState} />
        <Segments label={texts.language} options={langs} textOf={(one) => languages[one]} value={shown} onChange={setShown} />
      </div>
      <div className="preview-frame-box">
        <iframe
          className="preview-page"
          title={`${t(texts.preview)} ${name}`}
          sandbox=""
          referrerPolicy="no-referrer"
          src={`${path}${shown}/${state}/`}
          width={sizes[size].width}
        />
      </div>
      <p className="muted">{t(texts.sample)}</p>
    </Dialog>
  );
};
export default PreviewDialog;
