import type { Text } from '@farlink/contract/kit/text.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';

const texts = {
  all: ['全选', 'Select all'],
  none: ['清空', 'Clear'],
} as const satisfies Record<string, Text>;

interface PageSelectionProps {
  readonly label: Text;
  readonly schemas: ReadonlyMap<string, GatewayPage>;
  readonly offered: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (pages: readonly string[]) => void;
}

/** Selection of some of these pages. */
export const PageSelection = ({ label, schemas, offered, chosen, onChange }: PageSelectionProps) => (
  <fieldset className="page-selection">
    <legend>
      {t(label)} ({chosen.length}/{offered.length}) <ActButton label={t(texts.all)} onClick={() => onChange(offered)} />{' '}
      <ActButton label={t(texts.none)} onClick={() => onChange([])} />
    </legend>
    <div>
      {offered.map((page) => {
        const title = schemas.get(page)?.title;
        return (
          <label key={page} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(page)}
              onChange={(e) => onChange(e.target.checked ? [...chosen, page] : chosen.filter((one) => one !== page))}
            />
            {title ? t(title) : page}
          </label>
        );
      })}
    </div>
  </fieldset>
);
