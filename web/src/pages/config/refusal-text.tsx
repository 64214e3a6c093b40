import type { Text } from '@farlink/contract/kit/text.ts';
import { Link } from 'react-router';
import { fieldPathText } from '../../kit/document/field-path.ts';
import { usePage } from '../../kit/document/schema.ts';
import { colon, t } from '../../kit/lang.ts';
import { readRefusal } from './gateway-refusal.ts';
import { gatewayWords } from './gateway-words.ts';

const words = {
  shared: ['与“{0}”一同被拒绝，均未生效', 'Refused together with {0}; none of it took effect'],
  lost: ['下发后 {0} 秒内未能恢复连接，网关已自动回退', 'The gateway lost the console for {0} s and went back by itself'],
  lostSome: ['下发后未能恢复连接，网关已自动回退', 'The gateway lost the console and went back by itself'],
  denied: [
    '网关已关闭“接受平台下发配置”，须在网关本地开启',
    'The gateway does not accept configuration from the platform; it must be allowed there',
  ],
} as const satisfies Record<string, Text>;

interface RefusalTextProps {
  readonly err: string;
  readonly hrefOf: (page: string) => string | undefined;
}

/** What the gateway said, with the way to the field it spoke of. */
export const RefusalText = ({ err, hrefOf }: RefusalTextProps) => {
  const refusal = readRefusal(err);
  const page = usePage('page' in refusal ? refusal.page : '');
  if (refusal.kind === 'other') return <span>{refusal.text}</span>;
  if (refusal.kind === 'denied') return <span>{t(words.denied)}</span>;
  if (refusal.kind === 'lost') return <span>{refusal.seconds === null ? t(words.lostSome) : t(words.lost, refusal.seconds)}</span>;
  const href = hrefOf(refusal.page);
  const title = page ? t(page.title) : refusal.page;
  if (refusal.kind === 'with') return <span>{t(words.shared, title)}</span>;
  const name = page ? fieldPathText(page, refusal.path) : refusal.path;
  return (
    <span>
      {href === undefined ? title : <Link to={`${href}&at=${encodeURIComponent(refusal.path)}`}>{`${title} · ${name}`}</Link>}
      {`${colon}${page ? gatewayWords(page, refusal.path, refusal.text) : refusal.text}`}
    </span>
  );
};
