import { type Lang, langs, type Text } from '@farlink/contract/kit/text.ts';
import { lang as ownLang, t } from '../../../kit/chrome/lang.ts';
import { AreaInput } from '../../../ui/native/area-input.tsx';
import { errorId } from '../../../ui/native/field-frame.tsx';
import { LineInput } from '../../../ui/native/line-input.tsx';
import { Refusal } from '../../../ui/native/refusal.tsx';
import { withText } from './document-edit.ts';

const langNames: Readonly<Record<Lang, Text>> = { zh: ['中文', 'Chinese'], en: ['英文', 'English'] };
const missing: Text = ['缺少译文，将显示另一种语言', 'No translation: the other language is shown'];

/** Languages that the properties show. */
export type ShownLangs = 'both' | Lang;

interface TextPairProps {
  readonly id: string;
  readonly label: string;
  /** Name of the field in the catalogue or the document. */
  readonly name: string;
  readonly value: Text;
  readonly max: number;
  readonly isLong?: boolean;
  readonly shown: ShownLangs;
  readonly placeholder?: Text | undefined;
  /** The message at a language. */
  readonly faultOf: (lang: Lang) => Text | undefined;
  readonly onChange: (value: Text, lang: Lang) => void;
}

const at = (lang: Lang) => (lang === 'zh' ? 0 : 1);

/** A text in both languages, side by side if there is room. */
export const TextPair = ({ id, label, name, value, max, isLong, shown, placeholder, faultOf, onChange }: TextPairProps) => {
  // The operator's language first.
  const order = langs.filter((lang) => shown === 'both' || shown === lang).toSorted((a) => (a === ownLang ? -1 : 1));
  const [first = 'zh'] = order;
  return (
    <div className="field text-pair" data-field={name} data-langs={order.length}>
      <label htmlFor={`${id}-${first}`}>{label}</label>
      <div>
        {order.map((lang) => {
          const typed = value[at(lang)];
          const fault = faultOf(lang);
          const isMissing = typed.trim() === '' && value[1 - at(lang)]?.trim() !== '';
          const own = `${id}-${lang}`;
          const control = {
            id: own,
            value: typed,
            label: `${label} ${t(langNames[lang])}`,
            isWrong: fault !== undefined,
            placeholder: isMissing ? t(missing) : placeholder?.[at(lang)],
            describedBy: fault ? errorId(own) : undefined,
            onChange: (next: string) => onChange(withText(value, lang, next), lang),
          };
          return (
            <span key={lang} className="text-of" data-missing={isMissing || undefined} lang={lang === 'zh' ? 'zh-CN' : 'en'}>
              <span className="text-lang" aria-hidden>
                {lang === 'zh' ? '中' : 'EN'}
              </span>
              <span>
                {isLong ? <AreaInput {...control} rows={3} /> : <LineInput {...control} max={max} />}
                <Refusal id={errorId(own)} text={fault && t(fault)} />
              </span>
            </span>
          );
        })}
      </div>
    </div>
  );
};
