import type { Text } from '@farlink/contract/kit/text.ts';
import { Link } from 'react-router';
import { fieldPathText } from '../../kit/document/field-path.ts';
import { usePage } from '../../kit/document/schema.ts';
import { colon, t } from '../../kit/lang.ts';
import { type RefusalCode, readRefusal } from './gateway-refusal.ts';
import { gatewayWords } from './gateway-words.ts';

const words = {
  shared: ['与“{0}”一同被拒绝，均未生效', 'Refused together with {0}; none of it took effect'],
  lost: ['下发后 {0} 秒内未能恢复连接，网关已自动回退', 'The gateway did not reach the console within {0} s and rolled back by itself'],
  lostSome: ['下发后未能恢复连接，网关已自动回退', 'The gateway lost the console and rolled back by itself'],
  denied: [
    '网关已关闭“接受平台下发配置”，须在网关本地开启',
    'The gateway does not accept configuration from the platform; it must be allowed there',
  ],
} as const satisfies Record<string, Text>;

/** What the codes mean to somebody who has not read the protocol; the words of the gateway follow. */
const meanings: Readonly<Record<RefusalCode, Text>> = {
  E_APPLY: ['网关未能应用该配置', 'The gateway could not apply it'],
  E_FETCH: ['网关未能下载配置内容', 'The gateway could not fetch the configuration'],
  E_HASH: ['网关收到的内容校验不一致', 'What the gateway received does not match its checksum'],
  E_SECTION: ['网关不支持该配置页', 'The gateway does not know this page'],
};

interface RefusalTextProps {
  readonly err: string;
  readonly hrefOf: (page: string) => string | undefined;
}

/** What the gateway said, with the way to the field it spoke of. */
export const RefusalText = ({ err, hrefOf }: RefusalTextProps) => {
  const refusal = readRefusal(err);
  const page = usePage('page' in refusal ? refusal.page : '');
  if (refusal.kind === 'other') return <span>{refusal.text}</span>;
  if (refusal.kind === 'coded') return <span>{`${t(meanings[refusal.code])}${refusal.text && `${colon}${refusal.text}`}`}</span>;
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
