import { readRefusal, refusalText } from '@farlink/contract/config/refusal.ts';
import { Link } from 'react-router';
import { colon, t } from '../../../kit/chrome/lang.ts';
import { fieldPathText } from '../../../kit/document/field-path.ts';
import { usePage } from '../../../kit/document/schema.ts';
import { gatewayText } from '../gateway-text.ts';

interface RefusalTextProps {
  readonly err: string;
  readonly hrefOf: (page: string) => string | undefined;
}

/** The error of the gateway, with a link to its field. */
export const RefusalText = ({ err, hrefOf }: RefusalTextProps) => {
  const refusal = readRefusal(err);
  const page = usePage('page' in refusal ? refusal.page : '');
  if (refusal.kind !== 'field') return <span>{t(refusalText(refusal, (key) => page?.title ?? [key, key]))}</span>;
  const href = hrefOf(refusal.page);
  const title = page ? t(page.title) : refusal.page;
  const name = page ? fieldPathText(page, refusal.path) : refusal.path;
  return (
    <span>
      {href === undefined ? title : <Link to={`${href}&at=${encodeURIComponent(refusal.path)}`}>{`${title} · ${name}`}</Link>}
      {`${colon}${page ? gatewayText(page, refusal.path, refusal.text) : refusal.text}`}
    </span>
  );
};
